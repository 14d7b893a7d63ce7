#include "bench/step.hpp"

#include "bench/bench_buffers.hpp"
#include "format.hpp"

namespace detour::tool {

std::uint64_t Step::bytes() const {
  std::uint64_t sum = 0;
  for (const Extent& message : messages) sum += message.bytes;
  return sum;
}

std::size_t Step::extent_bytes() const {
  return messages.back().offset_bytes + messages.back().bytes;
}

std::string Step::text() const {
  if (messages.size() == 1) return "at " + size(bytes());
  return "with " + std::to_string(messages.size()) + " buckets";
}

Step step_of_message(std::uint64_t bytes) {
  return {.messages = {{.offset_bytes = 0, .bytes = bytes}}};
}

Step step_of_buckets(std::span<const std::uint64_t> sizes_bytes, std::uint64_t compute_us) {
  Step step{.messages = {}, .compute_us = compute_us};
  std::size_t offset_bytes = 0;
  for (const std::uint64_t bytes : sizes_bytes) {
    step.messages.push_back({.offset_bytes = offset_bytes, .bytes = bytes});
    offset_bytes += whole_pages(bytes);
  }
  return step;
}

}  // namespace detour::tool
