// The memory that calls work on.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "bench/step.hpp"

namespace detour::tool {

// Bytes on a page boundary.
using PageMemory = std::unique_ptr<std::byte[], std::function<void(std::byte*)>>;
using AllocatePages = std::function<PageMemory(std::size_t bytes)>;

// The system's. Throws std::bad_alloc.
PageMemory allocate_from_system(std::size_t bytes);

// Rounded up.
std::size_t whole_pages(std::size_t bytes);

// One pair of buffers serves all steps and all contestants, which therefore find the same caches and
// pages. The send buffer goes on for some pages more: rounds send from different pages of it, so that
// what is left over from a round before would show as a wrong result.
class BenchBuffers {
 public:
  static constexpr std::size_t page_bytes = 4096;
  static constexpr std::size_t phase_count = 4;

  // For steps that reach no further than `extent_bytes`.
  BenchBuffers(std::size_t extent_bytes, bool in_place, const AllocatePages& allocate);

  static std::size_t memory_bytes(std::size_t extent_bytes, bool in_place);

  // All of it, to be filled. Empty in place.
  std::span<std::byte> whole_send() { return {send_.get(), send_bytes_}; }
  // Empty in place.
  std::span<const std::byte> send(const Extent& message, std::size_t phase) const;
  std::span<std::byte> receive(const Extent& message) {
    return {receive_.get() + message.offset_bytes, message.bytes};
  }
  // Where the input of a message in this phase begins in whole_send(); in place, in what that would be.
  static std::size_t input_offset_bytes(const Extent& message, std::size_t phase) {
    return message.offset_bytes + phase * page_bytes;
  }

 private:
  std::size_t send_bytes_;
  PageMemory send_;
  PageMemory receive_;
};

}  // namespace detour::tool
