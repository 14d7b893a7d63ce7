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
  claims_.clear();
  give_back();
}

std::optional<ShmLinks::ClaimId> ShmLinks::claim(const Program& program,
                                                 std::size_t message_bytes_max) {
  if (message_bytes_max > arena_.arena.capacity_bytes()) return std::nullopt;
  std::vector<Wish> wishes = wishes_of(program, message_bytes_max);
  const std::lock_guard lock(arena_.mutex);
  if (!try_to_fulfil(wishes)) {
    give_back_idle();
    if (!try_to_fulfil(wishes)) return std::nullopt;
  }
  claims_.push_back({next_claim_, std::move(wishes)});
  return next_claim_++;
}

void ShmLinks::end_claim(ClaimId id) {
  std::erase_if(claims_, [id](const Claim& claim) { return claim.id == id; });
}

std::vector<ShmLinks::Wish> ShmLinks::wishes_of(const Program& program,
                                                std::size_t message_bytes_max) const {
  std::vector<Wish> wishes;
  for (const Link& link : program.outgoing) {
    if (!shares_memory_with(link.peer)) continue;
    const auto slot_count = std::min<std::uint64_t>(link.window_count, link.message_count);
    wishes.push_back({index(link.peer, link.lane), {message_bytes_max, slot_count}});
  }
  return wishes;
}

bool ShmLinks::try_to_fulfil(const std::vector<Wish>& wishes) {
  const std::vector<SlotShape> claimed_by_link = claimed_shapes();
  std::vector<std::pair<ShmSender*, SlotRegion>> made;
  for (const Wish& wish : wishes) {
    ShmSender& end = ends_[wish.link]->sender;
    const SlotShape& claimed = claimed_by_link[wish.link];
    const SlotShape shape = wish.shape.joined_with(claimed);
    if (end.has_room_for(shape)) continue;
    // Too small, and if nobody claims it, the new memory may be in its place.
    if (claimed.slot_count == 0) end.give_back_idle();
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

// By link; no slots if nobody claims it.
std::vector<SlotShape> ShmLinks::claimed_shapes() const {
  std::vector<SlotShape> shapes(ends_.size());
  for (const Claim& claim : claims_) {
    for (const Wish& wish : claim.wishes) {
      shapes[wish.link] = shapes[wish.link].joined_with(wish.shape);
    }
  }
  return shapes;
}

ShmLinks::GivenBack ShmLinks::give_back() {
  const std::lock_guard lock(arena_.mutex);
  return give_back_idle();
}

ShmLinks::GivenBack ShmLinks::give_back_idle() {
  const std::vector<SlotShape> claimed = claimed_shapes();
  GivenBack given;
  for (std::size_t link = 0; link < ends_.size(); ++link) {
    if (!ends_[link]) continue;
    ShmSender& sender = ends_[link]->sender;
    const bool is_claimed = claimed[link].slot_count > 0;
    if (!is_claimed) given.any |= sender.give_back_idle();
    const bool is_read = is_claimed ? sender.is_being_read() : sender.has_region();
    const auto peer = static_cast<Rank>(link / LinkTable::lane_count);
    const bool is_listed = !given.readers.empty() && given.readers.back() == peer;
    if (is_read && !is_listed) given.readers.push_back(peer);
  }
  return given;
}

void ShmLinks::drop_peer(Rank peer) {
  if (!shares_memory_with(peer)) return;
  const std::lock_guard lock(arena_.mutex);
  for (const Lane lane : {Lane::reduce, Lane::broadcast}) sender(peer, lane).give_back_all();
}

void ShmLinks::drop_messages_before(std::uint64_t epoch) {
  for (auto& ends : ends_) {
    if (ends) ends->receiver.peek(epoch);
  }
}

bool ShmLinks::drained() const {
  return std::all_of(ends_.begin(), ends_.end(),
                     [](const auto& ends) { return !ends || ends->sender.drained(); });
}

}  // namespace detour
