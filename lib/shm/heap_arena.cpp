#include "shm/heap_arena.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace detour {
namespace {

std::size_t round_down(std::size_t number, std::size_t unit) {
  return number / unit * unit;
}

std::size_t round_up(std::size_t number, std::size_t unit) {
  return round_down(number + unit - 1, unit);
}

}  // namespace

HeapArena::HeapArena(const SharedHeap& heap, const ArenaLimits& limits)
    : memory_(heap.bytes().first(round_down(heap.bytes().size(), line_bytes))),
      limits_(limits),
      can_release_pages_(heap.can_release_pages()) {
  if (!memory_.empty()) gaps_.emplace(0, memory_.size());
}

std::optional<HeapBlock> HeapArena::allocate(std::size_t bytes, std::size_t alignment_bytes,
                                             HeapEnd end) {
  if (!std::has_single_bit(alignment_bytes) || alignment_bytes > huge_page_bytes)
    return std::nullopt;
  if (bytes > capacity_bytes() || blocks_.size() >= limits_.block_count_max) return std::nullopt;
  const std::size_t wanted_bytes = round_up(std::max<std::size_t>(bytes, 1), line_bytes);
  const std::size_t unit_bytes = std::max(alignment_bytes, line_bytes);
  const auto try_to_take = [&](Ranges::iterator gap) -> std::optional<HeapBlock> {
    const auto offset = place_in({gap->first, gap->second}, wanted_bytes, unit_bytes, end);
    if (!offset) return std::nullopt;
    return take(gap, *offset, wanted_bytes);
  };
  if (end == HeapEnd::low) {
    for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
      if (const auto taken = try_to_take(gap)) return taken;
    }
  } else {
    for (auto gap = gaps_.end(); gap != gaps_.begin();) {
      if (const auto taken = try_to_take(--gap)) return taken;
    }
  }
  return std::nullopt;
}

// Where a block can begin in a gap: as far as possible to that end.
std::optional<std::size_t> HeapArena::place_in(const HeapBlock& gap, std::size_t bytes,
                                               std::size_t alignment_bytes, HeapEnd end) const {
  if (gap.bytes < bytes) return std::nullopt;
  // In addresses: the heap itself starts at a page, no more.
  const auto base = reinterpret_cast<std::uintptr_t>(memory_.data());
  const std::uintptr_t first = base + gap.offset;
  const std::uintptr_t last = first + gap.bytes - bytes;
  const std::uintptr_t place =
      end == HeapEnd::low ? round_up(first, alignment_bytes) : round_down(last, alignment_bytes);
  if (place < first || place > last) return std::nullopt;
  return place - base;
}

// If there is no memory for the books nothing has changed.
HeapBlock HeapArena::take(Ranges::iterator gap, std::size_t offset, std::size_t bytes) {
  const auto [gap_offset, gap_bytes] = *gap;
  const std::size_t end = offset + bytes;
  const std::size_t bytes_behind = gap_offset + gap_bytes - end;
  const auto block = blocks_.emplace(offset, bytes).first;
  if (gap_offset == offset) {
    set_gap(gap, end, bytes_behind);
  } else {
    try {
      if (bytes_behind > 0) gaps_.emplace(end, bytes_behind);
    } catch (...) {
      blocks_.erase(block);
      throw;
    }
    gap->second = offset - gap_offset;
  }
  used_bytes_ += bytes;
  return {offset, bytes};
}

// Takes no memory: the gap's entry in the books is used again.
void HeapArena::set_gap(Ranges::iterator gap, std::size_t offset, std::size_t bytes) {
  auto entry = gaps_.extract(gap);
  if (bytes == 0) return;
  entry.key() = offset;
  entry.mapped() = bytes;
  gaps_.insert(std::move(entry));
}

// Takes no memory either, so that it can't fail.
bool HeapArena::free(std::size_t offset) {
  const auto block = blocks_.find(offset);
  if (block == blocks_.end()) return false;
  const HeapBlock freed{block->first, block->second};
  used_bytes_ -= freed.bytes;
  const auto gap = join_gap(gaps_.insert(blocks_.extract(block)).position);
  if (can_release_pages_ && freed.bytes >= limits_.release_from_bytes) {
    give_back_pages(freed, {gap->first, gap->second});
  }
  return true;
}

// With those that it touches.
HeapArena::Ranges::iterator HeapArena::join_gap(Ranges::iterator gap) {
  const auto [offset, bytes] = *gap;
  const auto next = std::next(gap);
  if (next != gaps_.end() && offset + bytes == next->first) {
    gap->second += next->second;
    gaps_.erase(next);
  }
  if (gap == gaps_.begin()) return gap;
  const auto previous = std::prev(gap);
  if (previous->first + previous->second != offset) return gap;
  previous->second += gap->second;
  gaps_.erase(gap);
  return previous;
}

// The pages at its edges, which may be huge, go too as far as nobody uses the rest of them. Failing to give back costs
// memory, not correctness.
void HeapArena::give_back_pages(const HeapBlock& freed, const HeapBlock& gap) {
  const auto base = reinterpret_cast<std::uintptr_t>(memory_.data());
  const std::uintptr_t begin =
      std::max(base + gap.offset, round_down(base + freed.offset, huge_page_bytes));
  const std::uintptr_t end = std::min(base + gap.offset + gap.bytes,
                                      round_up(base + freed.offset + freed.bytes, huge_page_bytes));
  release_pages(memory_.subspan(begin - base, end - begin));
}

std::size_t HeapArena::largest_gap_bytes() const {
  std::size_t largest_bytes = 0;
  for (const auto& [offset, bytes] : gaps_) largest_bytes = std::max(largest_bytes, bytes);
  return largest_bytes;
}

}  // namespace detour
