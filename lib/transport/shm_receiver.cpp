#include "transport/shm_receiver.hpp"

#include <new>

#include "protocol_switches.hpp"

namespace detour {

std::span<const std::byte> ShmReceiver::peek(std::uint64_t epoch) {
  while (control_.sent_count.load(std::memory_order_acquire) != released_count_) {
    const SlotHeader& header = oldest();
    if (header.epoch > epoch) return {};
    if (header.epoch == epoch || protocol_switches.accept_old_epochs) {
      return {reinterpret_cast<const std::byte*>(&header) + sizeof header, header.bytes};
    }
    release();
  }
  return {};
}

void ShmReceiver::release() {
  ++released_count_;
  control_.released_count.store(released_count_, std::memory_order_release);
  sender_bell_.add_one();
}

const SlotHeader& ShmReceiver::oldest() const {
  const LinkSlots& slots = control_.slots;
  const std::uint64_t index = (released_count_ - slots.first_message) % slots.slot_count;
  const std::byte* place = sender_heap_.data() + slots.offset + index * slots.slot_bytes;
  return *std::launder(reinterpret_cast<const SlotHeader*>(place));
}

}  // namespace detour
