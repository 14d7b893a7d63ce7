// The sender's end of one queue in shared memory, and the memory that its slots are in.
//
// Memory is replaced by larger one when an operation needs it: only after the receiver has released
// everything that went through the old one, and until then there is no room in the queue.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>

#include "shm/counter.hpp"
#include "shm/heap_arena.hpp"
#include "transport/link_table.hpp"

namespace detour {

// A process has one arena for all its communicators.
struct GuardedArena {
  HeapArena& arena;
  std::mutex& mutex;
};

// So many slots, each with room for so many bytes of message.
struct SlotShape {
  std::size_t payload_bytes = 0;
  std::size_t slot_count = 0;

  std::size_t slot_bytes() const;
  bool holds(const SlotShape& other) const {
    return payload_bytes >= other.payload_bytes && slot_count >= other.slot_count;
  }
  // The smallest that holds both.
  SlotShape joined_with(const SlotShape& other) const {
    return {std::max(payload_bytes, other.payload_bytes), std::max(slot_count, other.slot_count)};
  }
};

struct SlotRegion {
  SlotShape shape;
  HeapBlock block;
};

class ShmSender {
 public:
  // All have to outlive it. The control block is in the sender's own table.
  ShmSender(LinkControl& control, Counter& receiver_bell, const GuardedArena& arena)
      : control_(control), receiver_bell_(receiver_bell), arena_(arena) {}

  // Whether the memory that this end has, or will have once the old one is drained, will do.
  bool has_room_for(const SlotShape& shape) const;
  // For who holds the arena's mutex. Takes effect as soon as the queue is drained; one that was still
  // waiting for that is given back.
  void use_next(const SlotRegion& region);

  // For who holds the arena's mutex. Gives back what no receiver can be reading: a region that was never
  // used and, if the queue is drained, the one in use. True if there was something.
  bool give_back_idle();
  // The same; the receiver is no more, so that nothing is in its hands.
  void give_back_all();

  // Whether the receiver has released everything.
  bool drained() const;
  // Whether there is memory that messages have gone through, or are to: all that give_back_idle() has left was found to be
  // in the receiver's hands.
  bool has_region() const { return region_.has_value(); }
  // Whether there is memory here that the receiver may be reading.
  bool is_being_read() const { return has_region() && !drained(); }

  // See Transport. No more bytes than the shape that was asked for last.
  std::span<std::byte> reserve(std::size_t bytes);
  void send(std::uint64_t epoch);

 private:
  void take_next();
  SlotHeader* free_slot() const;
  bool free_region(std::optional<SlotRegion>& region);

  LinkControl& control_;
  Counter& receiver_bell_;
  const GuardedArena arena_;
  std::optional<SlotRegion> region_;
  std::optional<SlotRegion> next_;
  std::uint64_t sent_count_ = 0;
  std::uint64_t first_message_ = 0;  // of the region in use
  // As last read. Smaller than the truth means less room than there is, so it is read again only when
  // there seems to be none.
  std::uint64_t released_count_ = 0;
  std::size_t reserved_bytes_ = 0;
};

}  // namespace detour
