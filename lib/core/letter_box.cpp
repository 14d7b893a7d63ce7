#include "core/letter_box.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

namespace detour {

LetterBox& LetterBox::create_at(std::byte* place) {
  return *new (place) LetterBox;
}

LetterBox& LetterBox::at(std::byte* place) {
  return *std::launder(reinterpret_cast<LetterBox*>(place));
}

std::size_t LetterBox::post(std::uint64_t key, std::span<const std::byte> letter) {
  if (letter.size() > letter_bytes_max) throw std::logic_error("a letter too long for its box");
  std::size_t free = 0;
  for (std::uint64_t expected = no_key;
       !slots_[free].key.compare_exchange_strong(expected, being_written); expected = no_key) {
    free = (free + 1) % slot_count;
    if (free == 0) sched_yield();
  }
  Slot& slot = slots_[free];
  // Each with release: whoever sees any of it sees that the old key is gone.
  slot.reads.store(key & ~read_count_mask, std::memory_order_release);
  for (std::size_t at = 0; at < letter.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, letter.data() + at, std::min<std::size_t>(8, letter.size() - at));
    slot.words[at / 8].store(word, std::memory_order_release);
  }
  slot.key.store(key, std::memory_order_release);
  return free;
}

std::uint64_t LetterBox::read_count(std::size_t slot) const {
  return slots_[slot].reads.load(std::memory_order_acquire) & read_count_mask;
}

void LetterBox::withdraw(std::size_t slot) {
  slots_[slot].key.store(no_key, std::memory_order_release);
}

bool LetterBox::read(std::uint64_t key, std::span<std::byte> letter) {
  for (Slot& slot : slots_) {
    if (slot.key.load(std::memory_order_acquire) == key) return read_slot(slot, key, letter);
  }
  return false;
}

bool LetterBox::read_slot(Slot& slot, std::uint64_t key, std::span<std::byte> letter) {
  for (std::size_t at = 0; at < letter.size(); at += 8) {
    const std::uint64_t word = slot.words[at / 8].load(std::memory_order_acquire);
    std::memcpy(letter.data() + at, &word, std::min<std::size_t>(8, letter.size() - at));
  }
  if (slot.key.load(std::memory_order_relaxed) != key) return false;
  std::uint64_t reads = slot.reads.load(std::memory_order_relaxed);
  while ((reads & ~read_count_mask) == (key & ~read_count_mask)) {
    if (slot.reads.compare_exchange_weak(reads, reads + 1, std::memory_order_release)) return true;
  }
  return true;  // withdrawn just now: nobody counts any more
}

}  // namespace detour
