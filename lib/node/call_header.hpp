// What a rank says of a collective call before anything is done, so that a mismatch becomes an error
// on all ranks instead of a hang or a wrong sum.
#pragma once

#include <cstdint>

namespace detour {

enum class CallKind : std::uint32_t {
  allreduce = 1,
  reduce,
  broadcast,
  barrier,
  allgather,
  reduce_scatter
};

// Compared as a whole: whatever must be the same on all ranks, and nothing else.
struct CallHeader {
  CallKind kind = CallKind::barrier;
  std::uint32_t operation = 0;  // a ReduceOp, or a number that all user operations share
  std::uint32_t element = 0;    // an ElementType, or 0 where bytes are only moved
  std::int32_t root = -1;
  std::uint64_t bytes = 0;  // packed

  bool operator==(const CallHeader&) const = default;
};

}  // namespace detour
