// Where a process leaves letters for others of its node, each for some of them and under a key that they all know.
//
// In the process's own heap: it writes, the others read and say so. A letter stays until it is withdrawn.
//
// A slot is used again: its key is taken away before the letter is overwritten, and a reader that finds the key gone
// after it has copied the letter forgets what it copied. `reads` says for which key it counts, so that a late
// reader of an old letter does not count for the new one.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace detour {

class LetterBox {
 public:
  static constexpr std::size_t letter_bytes_max = 320;
  // So many threads of a process may have one under way at once; others wait.
  static constexpr std::size_t slot_count = 32;

  // The owner makes it, in memory that is suitably aligned, before others look for it.
  static LetterBox& create_at(std::byte* place);
  static LetterBox& at(std::byte* place);

  // By threads of the owner. Keys are at least 2, and no key is in the box twice.
  std::size_t post(std::uint64_t key, std::span<const std::byte> letter);
  std::uint64_t read_count(std::size_t slot) const;
  void withdraw(std::size_t slot);

  // By anybody else, once per letter: false if there is none yet.
  bool read(std::uint64_t key, std::span<std::byte> letter);

 private:
  static constexpr std::uint64_t no_key = 0;
  static constexpr std::uint64_t being_written = 1;
  static constexpr std::uint64_t read_count_mask = 0xffff;

  struct Slot {
    std::atomic<std::uint64_t> key{no_key};
    std::atomic<std::uint64_t> reads{0};  // the key without its last 16 bits, which are the count
    std::array<std::atomic<std::uint64_t>, letter_bytes_max / 8> words{};
  };
  bool read_slot(Slot& slot, std::uint64_t key, std::span<std::byte> letter);

  std::array<Slot, slot_count> slots_;
};

}  // namespace detour
