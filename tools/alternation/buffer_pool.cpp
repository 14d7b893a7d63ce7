#include "alternation/buffer_pool.hpp"

#include <algorithm>

namespace detour::tool {
namespace {

constexpr std::size_t line_bytes = 64;

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

std::size_t PoolShape::stride_bytes() const {
  constexpr std::size_t page = BenchBuffers::page_bytes;
  if (bytes < page) return rounded_up(bytes, line_bytes);
  // A page more: buffers that are powers of two apart would compete for the same places in a cache.
  return rounded_up(bytes, page) + page;
}

std::size_t choose_slot_count(std::size_t bytes, bool in_place, int rank_count, int pool_count,
                              std::uint64_t cache_bytes, std::uint64_t memory_bytes) {
  const PoolShape one{.bytes = bytes, .slot_count = 1, .in_place = in_place};
  const std::uint64_t slot_bytes = one.memory_bytes() * static_cast<std::uint64_t>(rank_count);
  const std::uint64_t wanted = std::max<std::uint64_t>(2, 2 * cache_bytes / slot_bytes + 1);
  return std::min(wanted, memory_bytes / (slot_bytes * static_cast<std::uint64_t>(pool_count)));
}

BufferPool::BufferPool(const PoolShape& shape, const AllocatePages& allocate, const Pattern& input,
                       const Validator& validator)
    : shape_(shape),
      input_(input),
      validator_(validator),
      send_(shape.in_place ? PageMemory() : allocate(shape.stride_bytes() * shape.slot_count)),
      receive_(allocate(shape.stride_bytes() * shape.slot_count)) {
  if (send_) input_.fill({send_.get(), shape_.stride_bytes() * shape_.slot_count}, 0);
  for (slot_ = 0; slot_ < shape_.slot_count; ++slot_) restore();
  slot_ = 0;
}

const std::byte* BufferPool::send() const {
  return send_ ? send_.get() + offset() : nullptr;
}

std::span<std::byte> BufferPool::receive() const {
  return {receive_.get() + offset(), shape_.bytes};
}

std::size_t BufferPool::first_element() const {
  return offset() / input_.type().bytes;
}

void BufferPool::finish_turn() {
  restore();
  slot_ = (slot_ + 1) % shape_.slot_count;
}

void BufferPool::restore() {
  if (shape_.in_place) {
    input_.fill(receive(), first_element());
  } else {
    validator_.spoil(receive(), Thoroughness::whole, 0);
  }
}

}  // namespace detour::tool
