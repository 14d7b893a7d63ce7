#include "membership/shm_decision_store.hpp"

#include <atomic>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#include "fault_points.hpp"
#include "protocol_switches.hpp"

namespace detour {
namespace {

// 0 while nobody has stood for election; otherwise the winner's number plus one.
using Winner = std::atomic<std::uint64_t>;
static_assert(Winner::is_always_lock_free);

std::size_t winners_bytes(std::size_t member_count) {
  return member_count * sizeof(Winner);
}

std::size_t proposal_bytes(std::size_t member_count) {
  return MemberSet::word_count(member_count) * sizeof(std::uint64_t);
}

Winner& winner_of(std::byte* part, std::uint64_t number) {
  return *std::launder(reinterpret_cast<Winner*>(part + number * sizeof(Winner)));
}

}  // namespace

std::size_t ShmDecisionStore::part_bytes(std::size_t member_count) {
  return winners_bytes(member_count) + member_count * proposal_bytes(member_count);
}

void ShmDecisionStore::create_at(std::byte* place, std::size_t member_count) {
  for (std::size_t number = 0; number < member_count; ++number) {
    new (place + number * sizeof(Winner)) Winner(0);
  }
  std::memset(place + winners_bytes(member_count), 0, member_count * proposal_bytes(member_count));
}

ShmDecisionStore::ShmDecisionStore(std::size_t member, std::vector<std::byte*> parts)
    : member_(member), parts_(std::move(parts)) {}

MemberSet ShmDecisionStore::decide(std::uint64_t number, const MemberSet& proposal) {
  if (number >= parts_.size()) throw std::logic_error("more decisions than members");
  DETOUR_FAULT_POINT("deciding");
  std::memcpy(proposal_place(member_, number), proposal.words().data(),
              proposal_bytes(parts_.size()));
  DETOUR_FAULT_POINT("proposed");
  std::uint64_t winner = 0;
  if (winner_of(parts_[0], number)
          .compare_exchange_strong(winner, member_ + 1, std::memory_order_acq_rel,
                                   std::memory_order_acquire)) {
    DETOUR_FAULT_POINT("decided");
    return proposal;
  }
  return protocol_switches.own_proposal ? proposal : proposal_of(winner - 1, number);
}

MemberSet ShmDecisionStore::proposal_of(std::size_t member, std::uint64_t number) const {
  std::vector<std::uint64_t> words(MemberSet::word_count(parts_.size()));
  std::memcpy(words.data(), proposal_place(member, number), proposal_bytes(parts_.size()));
  return MemberSet(parts_.size(), words);
}

std::byte* ShmDecisionStore::proposal_place(std::size_t member, std::uint64_t number) const {
  return parts_[member] + winners_bytes(parts_.size()) + number * proposal_bytes(parts_.size());
}

}  // namespace detour
