// What the two ends of a queue in shared memory tell each other.
//
// Each member of a communicator has a table in its own heap: one block for every peer and lane, which is
// about the messages that the owner sends there. Messages are numbered from 0 for ever; where they lie
// changes: the owner announces a region of slots in its heap, and message n is in slot
// (n - first_message) modulo slot_count.
//
//   first line, written by the sender     sent_count, where the slots are
//   second line, written by the receiver  released_count
//
// Order:
//   - The sender writes a slot (and a new place of the slots), then raises sent_count (release). The
//     receiver reads sent_count (acquire), then the rest: what it reads was written before.
//   - The receiver reads a slot, then raises released_count (release). The sender reads released_count
//     (acquire) before it writes the slot again: it never writes what is still read.
//   - The receiver reads where the slots are only while sent_count > released_count, and the sender writes
//     that only while they are equal. After the receiver has released message n - 1, its next such read
//     comes after it has seen sent_count > n, which was raised after the change. So neither the place nor a
//     region that was given up is read while it changes, and none of it has to be atomic.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "collectives/program.hpp"

namespace detour {

struct LinkSlots {
  std::uint64_t offset = 0;      // of slot 0, from the start of the sender's heap
  std::uint64_t slot_bytes = 0;  // from one slot to the next
  std::uint64_t slot_count = 0;
  std::uint64_t first_message = 0;  // that went through this region
};

struct LinkControl {
  alignas(64) std::atomic<std::uint64_t> sent_count{0};
  LinkSlots slots;
  alignas(64) std::atomic<std::uint64_t> released_count{0};
};
static_assert(sizeof(LinkControl) == 128);

// At the start of a slot; the message follows on the next cache line.
struct alignas(64) SlotHeader {
  std::uint64_t bytes = 0;
  std::uint64_t epoch = 0;
};
static_assert(sizeof(SlotHeader) == 64);

class LinkTable {
 public:
  static constexpr std::size_t lane_count = 2;

  static constexpr std::size_t bytes(std::size_t member_count) {
    return member_count * lane_count * sizeof(LinkControl);
  }

  // By the owner, in memory of that size at the start of a cache line, before others look at it.
  static LinkTable create_at(std::byte* place, std::size_t member_count);

  explicit LinkTable(std::byte* place) : place_(place) {}

  // About the messages of the table's owner to a peer.
  LinkControl& to(Rank peer, Lane lane) const;

 private:
  std::byte* place_;
};

}  // namespace detour
