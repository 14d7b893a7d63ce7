// The memory that calls work on.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace detour::tool {

// Bytes on a page boundary.
using PageMemory = std::unique_ptr<std::byte[], std::function<void(std::byte*)>>;
using AllocatePages = std::function<PageMemory(std::size_t bytes)>;

// The system's. Throws std::bad_alloc.
PageMemory allocate_from_system(std::size_t bytes);

// One pair of buffers serves all sizes and all contestants, which therefore find the same caches and
// pages. The send buffer goes on for some pages more: rounds send from different pages of it, so that
// what is left over from a round before would show as a wrong result.
class BenchBuffers {
 public:
  static constexpr std::size_t page_bytes = 4096;
  static constexpr std::size_t phase_count = 4;

  BenchBuffers(std::size_t bytes_max, bool in_place, const AllocatePages& allocate);

  static std::size_t memory_bytes(std::size_t bytes_max, bool in_place);

  // All of it, to be filled. Empty in place.
  std::span<std::byte> whole_send() { return {send_.get(), send_bytes_}; }
  // Empty in place.
  std::span<const std::byte> send(std::size_t bytes, std::size_t phase) const;
  std::span<std::byte> receive(std::size_t bytes) { return {receive_.get(), bytes}; }

 private:
  std::size_t send_bytes_;
  PageMemory send_;
  PageMemory receive_;
};

}  // namespace detour::tool
