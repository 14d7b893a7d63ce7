#include "transport/shm_links.hpp"

#include <algorithm>
#include <utility>

namespace detour {

ShmLinks::ShmLinks(Rank rank, const std::vector<ShmMember>& members, const GuardedArena& arena)
    : arena_(arena), ends_(members.size() * LinkTable::lane_count) {
  const ShmMember& own = members[static_cast<std::size_t>(rank)];
  for (Rank peer = 0; peer < static_cast<Rank>(members.size()); ++peer) {
    const ShmMember& member = members[static_cast<std::size_t>(peer)];
    if (peer == rank || member.table == nullptr) continue;
    for (const Lane lane : {Lane::reduce, Lane::broadcast}) {
      ends_[index(peer, lane)].emplace(
          Ends{ShmSender(LinkTable(own.table).to(peer, lane), *member.bell, arena),
               ShmReceiver(LinkTable(member.table).to(rank, lane), member.heap, *member.bell)});
    }
  }
}

ShmLinks::~ShmLinks() {
  give_back();
}

bool ShmLinks::prepare(const Program& program, std::size_t message_bytes_max) {
  const std::lock_guard lock(arena_.mutex);
  if (try_to_prepare(program, message_bytes_max)) return true;
  give_back_idle();
  return try_to_prepare(program, message_bytes_max);
}

bool ShmLinks::try_to_prepare(const Program& program, std::size_t message_bytes_max) {
  if (message_bytes_max > arena_.arena.capacity_bytes()) return false;
  std::vector<std::pair<ShmSender*, SlotRegion>> made;
  for (const Link& link : program.outgoing) {
    if (!shares_memory_with(link.peer)) continue;
    ShmSender& end = sender(link.peer, link.lane);
    const SlotShape shape{message_bytes_max,
                          std::min<std::uint64_t>(link.window_count, link.message_count)};
    if (end.has_room_for(shape)) continue;
    // It is too small for this operation. First, so that the new memory may be in its place.
    end.give_back_idle();
    const auto block = arena_.arena.allocate(shape.slot_count * shape.slot_bytes());
    if (!block) {
      for (const auto& [other_end, region] : made) arena_.arena.free(region.block.offset);
      return false;
    }
    made.emplace_back(&end, SlotRegion{shape, *block});
  }
  for (const auto& [end, region] : made) end->use_next(region);
  return true;
}

void ShmLinks::give_back() {
  const std::lock_guard lock(arena_.mutex);
  give_back_idle();
}

void ShmLinks::give_back_idle() {
  for (auto& ends : ends_) {
    if (ends) ends->sender.give_back_idle();
  }
}

void ShmLinks::drop_peer(Rank peer) {
  if (!shares_memory_with(peer)) return;
  const std::lock_guard lock(arena_.mutex);
  for (const Lane lane : {Lane::reduce, Lane::broadcast}) sender(peer, lane).give_back_all();
}

bool ShmLinks::drained() const {
  return std::all_of(ends_.begin(), ends_.end(),
                     [](const auto& ends) { return !ends || ends->sender.drained(); });
}

}  // namespace detour
