#include "bench/bench_buffers.hpp"

#include <cstdlib>
#include <new>

namespace detour::tool {
namespace {

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + BenchBuffers::page_bytes - 1) / BenchBuffers::page_bytes *
         BenchBuffers::page_bytes;
}

std::size_t send_bytes(std::size_t bytes_max, bool in_place) {
  if (in_place) return 0;
  return whole_pages(bytes_max) + (BenchBuffers::phase_count - 1) * BenchBuffers::page_bytes;
}

}  // namespace

PageMemory allocate_from_system(std::size_t bytes) {
  void* const memory = std::aligned_alloc(BenchBuffers::page_bytes, whole_pages(bytes));
  if (memory == nullptr) throw std::bad_alloc();
  return {static_cast<std::byte*>(memory), [](std::byte* begin) { std::free(begin); }};
}

BenchBuffers::BenchBuffers(std::size_t bytes_max, bool in_place, const AllocatePages& allocate)
    : send_bytes_(send_bytes(bytes_max, in_place)),
      send_(in_place ? PageMemory() : allocate(send_bytes_)),
      receive_(allocate(whole_pages(bytes_max))) {}

std::size_t BenchBuffers::memory_bytes(std::size_t bytes_max, bool in_place) {
  return send_bytes(bytes_max, in_place) + whole_pages(bytes_max);
}

std::span<const std::byte> BenchBuffers::send(std::size_t bytes, std::size_t phase) const {
  if (!send_) return {};
  return {send_.get() + phase * page_bytes, bytes};
}

}  // namespace detour::tool
