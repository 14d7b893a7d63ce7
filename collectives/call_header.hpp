// What a rank says of a collective call before anything is done, so that a mismatch becomes an error
// on all ranks instead of a hang or a wrong sum.
#pragma once

#include <cstdint>
#include <type_traits>

#include "collectives/reduce_op.hpp"

namespace detour {

enum class CallKind : std::uint32_t {
  allreduce = 1,
  reduce,
  broadcast,
  barrier,
  allgather,
  reduce_scatter,
  nonblocking_allreduce,  // MPI does not let it match a blocking one
};

// In place of a number that the library knows. What can't be compared as such is by what decides how it is
// carried out: whether the operands' order counts, and the size of elements.
inline constexpr std::uint32_t user_defined = 0xffff;
inline constexpr std::uint32_t user_defined_in_order = 0xfffe;

inline std::uint32_t operation_number(ReduceOp op) {
  return static_cast<std::uint32_t>(op) + 1;
}
inline std::uint32_t element_number(ElementType element) {
  return static_cast<std::uint32_t>(element) + 1;
}

// Whatever must be the same on all ranks, and what was wrong with one rank's arguments.
struct CallHeader {
  CallKind kind = CallKind::barrier;
  std::uint32_t operation = 0;  // operation_number, or user_defined, in order or not
  std::uint32_t element = 0;    // element_number, user_defined + the element's bytes, or 0: bytes
  std::int32_t root = -1;
  std::uint64_t bytes = 0;  // packed
  std::uint64_t shape = 0;  // how the bytes are cut among ranks, as a hash; 0 where they are not
  std::int32_t error = 0;   // an error class that this rank found by itself; the rest is void then
  std::uint32_t settings =
      0;  // the communicator's, as a hash: they decide how a call is carried out
};

static_assert(std::has_unique_object_representations_v<CallHeader>);

// Everything in it in one number, never 0: two headers that have the same are the same. 0 if it can't be said so briefly:
// it can of calls without errors that have neither root nor blocks, for the library's own operations, on so many bytes at most.
inline constexpr std::uint64_t brief_bytes_max = (std::uint64_t{128} << 10) - 1;
[[gnu::hot]] std::uint64_t brief(const CallHeader& header);

// In the order in which they are looked for.
enum class Disagreement : std::uint32_t {
  none,
  kind,
  operation,
  element,
  root,
  bytes,
  shape,
  settings
};

// What all calls together amount to: one rank's header at first, merged with those of the others.
struct CallVerdict {
  CallHeader header;
  Disagreement disagreement = Disagreement::none;
  std::uint32_t reserved = 0;

  bool all_agree() const { return header.error == 0 && disagreement == Disagreement::none; }
};

static_assert(std::has_unique_object_representations_v<CallVerdict>);

// The order of merging makes no difference as to whether all agree. Where they don't, it may decide
// which disagreement is named: all ranks have to use the same order, or take one rank's word for it.
CallVerdict merge(const CallVerdict& a, const CallVerdict& b);

}  // namespace detour
