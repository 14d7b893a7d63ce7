#include "node/member_block.hpp"

#include <functional>
#include <new>

namespace detour {

std::size_t MemberBlockLayout::block_bytes() const {
  return MemberBlock::small_at + 4 * small_bytes;
}

void MemberBlock::create() const {
  for (std::size_t index = 0; index < counter_count; ++index) {
    Counter::create_at(place_ + index * sizeof(Counter));
  }
  new (&notice(0)) Notice{};
  new (&notice(1)) Notice{};
  new (&entry(0)) Entry{};
  new (&entry(1)) Entry{};
  new (&ledger(0)) WorkLedger{};
  new (&ledger(1)) WorkLedger{};
  new (&report(0)) std::int64_t{0};
  new (&report(1)) std::int64_t{0};
}

std::uint64_t MemberBlock::place_in(std::span<const std::byte> heap,
                                    std::span<const std::byte> data) {
  // Addresses of different objects may be compared with this alone.
  const std::less_equal<const std::byte*> no_later;
  const bool is_inside = no_later(heap.data(), data.data()) &&
                         no_later(data.data() + data.size(), heap.data() + heap.size());
  return is_inside ? static_cast<std::uint64_t>(data.data() - heap.data()) : nowhere;
}

std::byte* MemberBlock::staging(std::uint64_t pipeline_offset, std::uint64_t piece) const {
  return heap_ + pipeline_offset + (piece % 2) * piece_bytes_;
}

std::byte* MemberBlock::result(std::uint64_t pipeline_offset, std::uint64_t piece) const {
  return heap_ + pipeline_offset + (2 + piece % 2) * piece_bytes_;
}

std::byte* MemberBlock::wide_result(std::uint64_t pipeline_offset, std::uint64_t piece) const {
  return heap_ + pipeline_offset + (piece % 2) * MemberBlockLayout::wide_result_bytes(piece_bytes_);
}

}  // namespace detour
