#include "c_api/moving.hpp"

#include "collectives/kernel_combiner.hpp"

namespace detour {

void describe_moving(Call& call, std::byte* payload, std::uint64_t bytes) {
  static const NoCombiner combiner;
  call.header.bytes = bytes;
  call.combiner = &combiner;
  call.input = payload;
  call.output = payload;
  call.output_bytes = bytes;
}

std::uint64_t shape_of(std::span<const std::uint64_t> block_counts) {
  // Each step can be undone, so that lists that differ in one place never look the same.
  std::uint64_t shape = block_counts.size();
  for (const std::uint64_t count : block_counts) {
    shape = (shape ^ count) * 0x9e3779b97f4a7c15;
    shape ^= shape >> 29;
  }
  return shape | 1;
}

}  // namespace detour
