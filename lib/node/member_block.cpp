#include "node/member_block.hpp"

#include <functional>
#include <new>

#include "protocol_switches.hpp"

namespace detour {
namespace {

constexpr std::size_t entry_room = 128;  // cache lines of their own
constexpr std::size_t notices_at = MemberBlock::counter_count * sizeof(Counter);
constexpr std::size_t entries_at = notices_at + 2 * sizeof(Notice);
constexpr std::size_t reports_at = entries_at + 2 * entry_room;
constexpr std::size_t ledgers_at = reports_at + 128;
constexpr std::size_t sums_at = ledgers_at + 2 * sizeof(WorkLedger);
constexpr std::size_t small_at = sums_at + 2 * MemberBlock::sum_bytes_max;

static_assert(sizeof(MemberBlock::Entry) <= entry_room);

std::size_t slot(std::uint64_t call) {
  return protocol_switches.reuse_slots_at_once ? 0 : call % 2;
}

}  // namespace

std::size_t MemberBlockLayout::block_bytes() const {
  return small_at + 2 * small_bytes;
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

Notice& MemberBlock::notice(std::uint64_t call) const {
  return *reinterpret_cast<Notice*>(place_ + notices_at + slot(call) * sizeof(Notice));
}

MemberBlock::Entry& MemberBlock::entry(std::uint64_t call) const {
  return *reinterpret_cast<Entry*>(place_ + entries_at + slot(call) * entry_room);
}

WorkLedger& MemberBlock::ledger(std::uint64_t call) const {
  return *reinterpret_cast<WorkLedger*>(place_ + ledgers_at + slot(call) * sizeof(WorkLedger));
}

std::int64_t& MemberBlock::report(std::uint64_t attempt) const {
  return *reinterpret_cast<std::int64_t*>(place_ + reports_at +
                                          (attempt % 2) * sizeof(std::int64_t));
}

std::byte* MemberBlock::small(std::uint64_t call) const {
  return place_ + small_at + slot(call) * layout_.small_bytes;
}

std::byte* MemberBlock::sum(std::uint64_t call) const {
  return place_ + sums_at + slot(call) * sum_bytes_max;
}

std::byte* MemberBlock::staging(std::uint64_t pipeline_offset, std::uint64_t piece) const {
  return heap_ + pipeline_offset + (piece % 2) * layout_.piece_bytes;
}

std::byte* MemberBlock::result(std::uint64_t pipeline_offset, std::uint64_t piece) const {
  return heap_ + pipeline_offset + (2 + piece % 2) * layout_.piece_bytes;
}

}  // namespace detour
