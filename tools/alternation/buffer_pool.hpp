// Buffers for calls of one size, used in turn, so that no call finds in a cache what the calls before it left there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bench/bench_buffers.hpp"
#include "bench/validator.hpp"

namespace detour::tool {

struct PoolShape {
  std::size_t bytes = 0;  // of a message
  std::size_t slot_count = 1;
  bool in_place = false;

  // From one buffer to the next.
  std::size_t stride_bytes() const;
  // Of one rank's pool.
  std::size_t memory_bytes() const { return stride_bytes() * slot_count * (in_place ? 1 : 2); }
};

// As many slots as it takes for all ranks' buffers together to be twice as large as the caches, but two at least and
// no more than fit into `memory_bytes` of the node. No slot if not even one fits. `pool_count` pools are used in turn.
std::size_t choose_slot_count(std::size_t bytes, bool in_place, int rank_count, int pool_count,
                              std::uint64_t cache_bytes, std::uint64_t memory_bytes);

// All ranks have pools of the same shape and take the same turns.
class BufferPool {
 public:
  // Every input holds a part of `input`, and every output nothing that `validator` takes for a result.
  BufferPool(const PoolShape& shape, const AllocatePages& allocate, const Pattern& input,
             const Validator& validator);

  // Of the slot whose turn it is. In place there is no buffer to send from.
  const std::byte* send() const;
  std::span<std::byte> receive() const;
  // The index in the pattern of the first element.
  std::size_t first_element() const;

  // Makes the slot as it was before the call, and goes on to the next.
  void finish_turn();

 private:
  void restore();
  std::size_t offset() const { return slot_ * shape_.stride_bytes(); }

  PoolShape shape_;
  const Pattern& input_;
  const Validator& validator_;
  PageMemory send_;
  PageMemory receive_;
  std::size_t slot_ = 0;
};

}  // namespace detour::tool
