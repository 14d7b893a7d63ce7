#include "transport/link_table.hpp"

#include <new>
#include <type_traits>

namespace detour {

// A lock would be in the memory of one process only.
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(std::is_standard_layout_v<LinkControl>);
static_assert(std::is_trivially_destructible_v<LinkControl>);

LinkTable LinkTable::create_at(std::byte* place, std::size_t member_count) {
  for (std::size_t at = 0; at < member_count * lane_count; ++at) {
    new (place + at * sizeof(LinkControl)) LinkControl;
  }
  return LinkTable(place);
}

LinkControl& LinkTable::to(Rank peer, Lane lane) const {
  const std::size_t index =
      static_cast<std::size_t>(peer) * lane_count + static_cast<std::size_t>(lane);
  return *std::launder(reinterpret_cast<LinkControl*>(place_ + index * sizeof(LinkControl)));
}

}  // namespace detour
