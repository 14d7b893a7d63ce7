#include "node/member_block.hpp"

#include <new>

namespace detour {
namespace {

constexpr std::size_t counter_count = 4;
constexpr std::size_t entry_room = 128;  // cache lines of their own
constexpr std::size_t entries_at = counter_count * sizeof(Counter);
constexpr std::size_t small_at = entries_at + 2 * entry_room;

static_assert(sizeof(MemberBlock::Entry) <= entry_room);

}  // namespace

std::size_t MemberBlockLayout::block_bytes() const {
  return small_at + 2 * small_bytes;
}

void MemberBlock::create() const {
  for (std::size_t index = 0; index < counter_count; ++index) {
    Counter::create_at(place_ + index * sizeof(Counter));
  }
  new (&entry(0)) Entry{};
  new (&entry(1)) Entry{};
}

MemberBlock::Entry& MemberBlock::entry(std::uint64_t call) const {
  return *reinterpret_cast<Entry*>(place_ + entries_at + (call % 2) * entry_room);
}

std::byte* MemberBlock::small(std::uint64_t call) const {
  return place_ + small_at + (call % 2) * layout_.small_bytes;
}

std::byte* MemberBlock::staging(std::uint64_t pipeline_offset, std::uint64_t piece) const {
  return heap_ + pipeline_offset + (piece % 2) * layout_.piece_bytes;
}

std::byte* MemberBlock::result(std::uint64_t pipeline_offset, std::uint64_t piece) const {
  return heap_ + pipeline_offset + (2 + piece % 2) * layout_.piece_bytes;
}

}  // namespace detour
