// What is measured at a time: one message, or all buckets of a training step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace detour::tool {

// Where a message lies in the buffers.
struct Extent {
  std::size_t offset_bytes = 0;
  std::size_t bytes = 0;
};

struct Step {
  std::vector<Extent> messages;  // handed over in this order
  std::uint64_t compute_us = 0;  // before each of them

  // Of all messages.
  std::uint64_t bytes() const;
  // From the start of the buffers to the end of the last message.
  std::size_t extent_bytes() const;
  // "at 64 KiB", "with 50 buckets": for complaints.
  std::string text() const;
};

Step step_of_message(std::uint64_t bytes);

// Messages of these sizes one after the other, each on a page of its own.
Step step_of_buckets(std::span<const std::uint64_t> sizes_bytes, std::uint64_t compute_us);

}  // namespace detour::tool
