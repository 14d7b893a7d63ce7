#include "core/heap_slots.hpp"

#include "log.hpp"

namespace detour {

std::optional<std::uint64_t> HeapSlots::pipeline(std::size_t bytes) {
  if (!pipeline_) pipeline_ = allocate_part(heap_, bytes);
  if (!pipeline_ && make_room_()) pipeline_ = allocate_part(heap_, bytes);
  if (pipeline_) return pipeline_.offset();
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

bool HeapSlots::give_back() {
  const bool any = static_cast<bool>(pipeline_);
  pipeline_ = {};
  results_ = {};
  results_bytes_ = 0;
  return any;
}

}  // namespace detour
