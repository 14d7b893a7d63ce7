#include "transport/shm_sender.hpp"

#include <new>
#include <stdexcept>

namespace detour {

std::size_t SlotShape::slot_bytes() const {
  constexpr std::size_t line_bytes = HeapArena::line_bytes;
  return sizeof(SlotHeader) + (payload_bytes + line_bytes - 1) / line_bytes * line_bytes;
}

bool ShmSender::has_room_for(const SlotShape& shape) const {
  if (next_) return next_->shape.holds(shape);
  return region_ && region_->shape.holds(shape);
}

bool ShmSender::drained() const {
  return control_.released_count.load(std::memory_order_acquire) == sent_count_;
}

void ShmSender::use_next(const SlotRegion& region) {
  free_region(next_);
  next_ = region;
}

bool ShmSender::give_back_idle() {
  const bool had_next = free_region(next_);
  return (drained() && free_region(region_)) || had_next;
}

void ShmSender::give_back_all() {
  free_region(next_);
  free_region(region_);
}

bool ShmSender::free_region(std::optional<SlotRegion>& region) {
  if (!region) return false;
  arena_.arena.free(region->block.offset);
  region.reset();
  return true;
}

// Announced by the next message: until then the receiver does not look.
void ShmSender::take_next() {
  if (region_) {
    const std::lock_guard lock(arena_.mutex);
    free_region(region_);
  }
  region_ = next_;
  next_.reset();
  first_message_ = sent_count_;
  released_count_ = sent_count_;
  control_.slots = {region_->block.offset, region_->shape.slot_bytes(), region_->shape.slot_count,
                    first_message_};
}

SlotHeader* ShmSender::free_slot() const {
  const std::size_t index = (sent_count_ - first_message_) % region_->shape.slot_count;
  std::byte* place = arena_.arena.memory_of(region_->block).data();
  return new (place + index * region_->shape.slot_bytes()) SlotHeader;
}

std::span<std::byte> ShmSender::reserve(std::size_t bytes) {
  if (next_) {
    if (!drained()) return {};
    take_next();
  }
  if (!region_ || bytes > region_->shape.payload_bytes) {
    throw std::logic_error("a message that no room was prepared for");
  }
  if (sent_count_ - released_count_ == region_->shape.slot_count) {
    released_count_ = control_.released_count.load(std::memory_order_acquire);
    if (sent_count_ - released_count_ == region_->shape.slot_count) return {};
  }
  reserved_bytes_ = bytes;
  return {reinterpret_cast<std::byte*>(free_slot()) + sizeof(SlotHeader), bytes};
}

void ShmSender::send(std::uint64_t epoch) {
  SlotHeader* header = free_slot();
  header->bytes = reserved_bytes_;
  header->epoch = epoch;
  ++sent_count_;
  control_.sent_count.store(sent_count_, std::memory_order_release);
  receiver_bell_.add_one();
}

}  // namespace detour
