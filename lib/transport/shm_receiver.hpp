// The receiver's end of one queue in shared memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shm/counter.hpp"
#include "transport/link_table.hpp"

namespace detour {

class ShmReceiver {
 public:
  // All have to outlive it. The control block is in the sender's table, the heap is the sender's.
  ShmReceiver(LinkControl& control, std::span<const std::byte> sender_heap, Counter& sender_bell)
      : control_(control), sender_heap_(sender_heap), sender_bell_(sender_bell) {}

  // The oldest message, if it is of this epoch. Those of former epochs are dropped on the way; one of a
  // later epoch stays where it is until its time comes.
  std::span<const std::byte> peek(std::uint64_t epoch);
  // After a peek that found a message.
  void release();

 private:
  const SlotHeader& oldest() const;

  LinkControl& control_;
  std::span<const std::byte> sender_heap_;
  Counter& sender_bell_;
  std::uint64_t released_count_ = 0;
};

}  // namespace detour
