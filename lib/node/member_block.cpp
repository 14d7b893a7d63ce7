#include "node/member_block.hpp"

#include <new>

namespace detour {
namespace {

constexpr std::size_t counter_count = 4;
constexpr std::size_t header_room = 64;  // a cache line each
constexpr std::size_t headers_at = counter_count * sizeof(Counter);
constexpr std::size_t small_at = headers_at + 2 * header_room;

static_assert(sizeof(CallHeader) <= header_room);

}  // namespace

std::size_t MemberBlockLayout::total_bytes() const {
  return small_at + 2 * small_bytes + 4 * piece_bytes;
}

void MemberBlock::create() const {
  for (std::size_t index = 0; index < counter_count; ++index) {
    Counter::create_at(place_ + index * sizeof(Counter));
  }
  new (&header(0)) CallHeader{};
  new (&header(1)) CallHeader{};
}

CallHeader& MemberBlock::header(std::uint64_t call) const {
  return *reinterpret_cast<CallHeader*>(place_ + headers_at + (call % 2) * header_room);
}

std::byte* MemberBlock::small(std::uint64_t call) const {
  return place_ + small_at + (call % 2) * layout_.small_bytes;
}

std::byte* MemberBlock::staging(std::uint64_t piece) const {
  return place_ + small_at + 2 * layout_.small_bytes + (piece % 2) * layout_.piece_bytes;
}

std::byte* MemberBlock::result(std::uint64_t piece) const {
  return staging(0) + (2 + piece % 2) * layout_.piece_bytes;
}

}  // namespace detour
