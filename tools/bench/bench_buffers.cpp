#include "bench/bench_buffers.hpp"

#include <cstdlib>
#include <new>

namespace detour::tool {
namespace {

std::size_t send_bytes(std::size_t extent_bytes, bool in_place) {
  if (in_place) return 0;
  return whole_pages(extent_bytes) + (BenchBuffers::phase_count - 1) * BenchBuffers::page_bytes;
}

}  // namespace

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + BenchBuffers::page_bytes - 1) / BenchBuffers::page_bytes *
         BenchBuffers::page_bytes;
}

PageMemory allocate_from_system(std::size_t bytes) {
  void* const memory = std::aligned_alloc(BenchBuffers::page_bytes, whole_pages(bytes));
  if (memory == nullptr) throw std::bad_alloc();
  return {static_cast<std::byte*>(memory), [](std::byte* begin) { std::free(begin); }};
}

BenchBuffers::BenchBuffers(std::size_t extent_bytes, bool in_place, const AllocatePages& allocate)
    : send_bytes_(send_bytes(extent_bytes, in_place)),
      send_(in_place ? PageMemory() : allocate(send_bytes_)),
      receive_(allocate(whole_pages(extent_bytes))) {}

std::size_t BenchBuffers::memory_bytes(std::size_t extent_bytes, bool in_place) {
  return send_bytes(extent_bytes, in_place) + whole_pages(extent_bytes);
}

std::span<const std::byte> BenchBuffers::send(const Extent& message, std::size_t phase) const {
  if (!send_) return {};
  return {send_.get() + input_offset_bytes(message, phase), message.bytes};
}

}  // namespace detour::tool
