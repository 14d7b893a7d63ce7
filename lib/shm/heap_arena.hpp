// Hands out parts of a heap. Only the heap's owner does so: the books are in private memory, where no
// other process can damage them, and peers learn of a block by its offset.
//
//   0        64                                  capacity
//   | used   | free   | used | free     | used |      first fit from either end: offsets next to it are used
//     from the low end ->  <- from the high end       again first, so that pages in the middle stay untouched
//
// Not for several threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "shm/shared_heap.hpp"

namespace detour {

struct HeapBlock {
  std::size_t offset = 0;  // from the start of the heap's bytes()
  std::size_t bytes = 0;   // at least what was asked for
};

// Where to look for room first. Blocks of a kind are kept together, so that those that stay long don't cut up
// the room of those that come and go.
enum class HeapEnd : std::uint8_t { low, high };

struct ArenaLimits {
  std::size_t block_count_max = 65536;  // bounds the books, whatever the sizes
  // A freed block at least this large gives its pages back: the system has to clear new ones when
  // they are touched again, which costs about as much as a copy.
  std::size_t release_from_bytes = std::size_t{1} << 20;
};

class HeapArena {
 public:
  // Blocks start at, and fill, whole cache lines.
  static constexpr std::size_t line_bytes = 64;

  // Over all of a heap's bytes. The heap has to live longer; it may be moved.
  explicit HeapArena(const SharedHeap& heap, const ArenaLimits& limits = {});

  // Nothing if there is no gap large enough. The alignment, of its address, is a power of two up
  // to a huge page.
  std::optional<HeapBlock> allocate(std::size_t bytes, std::size_t alignment_bytes = line_bytes,
                                    HeapEnd end = HeapEnd::low);

  // False, and nothing happens, if no block starts there.
  bool free(std::size_t offset);

  std::span<std::byte> memory_of(const HeapBlock& block) const {
    return memory_.subspan(block.offset, block.bytes);
  }

  std::size_t capacity_bytes() const { return memory_.size(); }
  std::size_t used_bytes() const { return used_bytes_; }
  std::size_t gap_count() const { return gaps_.size(); }
  std::size_t largest_gap_bytes() const;

 private:
  using Ranges = std::map<std::size_t, std::size_t>;  // offset -> bytes

  std::optional<std::size_t> place_in(const HeapBlock& gap, std::size_t bytes,
                                      std::size_t alignment_bytes, HeapEnd end) const;
  HeapBlock take(Ranges::iterator gap, std::size_t offset, std::size_t bytes);
  void set_gap(Ranges::iterator gap, std::size_t offset, std::size_t bytes);
  Ranges::iterator join_gap(Ranges::iterator gap);
  void give_back_pages(const HeapBlock& freed, const HeapBlock& gap);

  std::span<std::byte> memory_;
  ArenaLimits limits_;
  bool can_release_pages_;
  Ranges gaps_;  // never two that touch
  Ranges blocks_;
  std::size_t used_bytes_ = 0;
};

}  // namespace detour
