#include "core/heap_slots.hpp"

#include "log.hpp"

namespace detour {

std::optional<std::uint64_t> HeapSlots::pipeline(std::size_t bytes) {
  const auto allocate = [&] {
    pipeline_ = allocate_part(heap_, bytes);
    return static_cast<bool>(pipeline_);
  };
  if (pipeline_ || room_.get(allocate)) return pipeline_.offset();
  if (room_.comes_later()) return std::nullopt;
  log(LogLevel::error, "no room for {} bytes in shared memory: see DETOUR_MEMORY_BYTES", bytes);
  return std::nullopt;
}

DirectMemory::Room HeapSlots::results(std::size_t bytes) {
  if (results_bytes_ < bytes) {
    if (HeapPart larger = allocate_part(heap_, bytes)) {
      retired_results_ = std::exchange(results_, std::move(larger));
      results_bytes_ = bytes;
    }
  }
  return results_ ? Room{results_.offset(), results_bytes_} : Room{};
}

std::uint64_t HeapSlots::place_of(std::span<const std::byte> data) const {
  return MemberBlock::place_in(heap_->bytes(), data);
}

void HeapSlots::give_back() {
  pipeline_ = {};
  results_ = {};
  results_bytes_ = 0;
}

}  // namespace detour
