#include "operations/view.hpp"

#include <utility>

#include "protocol_switches.hpp"
#include "shm/memory_barriers.hpp"

namespace detour {

View::View(CallBoard& board, DecisionStore& decisions)
    : board_(board),
      decisions_(decisions),
      ranks_(board.present()),
      workers_(ranks_),
      members_(MemberSet::all(board.members().size())) {}

bool View::adopt_present() {
  // Members only go: as many as before are the same ones.
  const std::size_t present_count = board_.present().size();
  if (present_count == ranks_.size()) return false;
  const bool was_agreed_on = present_count == workers_.size();
  set_ranks(board_.present());
  ++change_count_;
  if (!was_agreed_on) recovery_.agree();
  return true;
}

void View::set_ranks(std::vector<std::size_t> ranks) {
  ranks_ = std::move(ranks);
  workers_ = ranks_;
  members_ = MemberSet(board_.members().size());
  for (const std::size_t rank : ranks_) members_.add(rank);
}

View::Stage View::stage(CounterOf counter, std::uint64_t value) const {
  Stage result = Stage::reached;
  for (const std::size_t rank : ranks_) {
    const Counter& of_rank = (block(rank).*counter)();
    // A seal is looked for first: what was raised before it counts.
    const bool sealed = of_rank.is_sealed();
    if (sealed && protocol_switches.any_death_breaks) return Stage::broken;
    if (of_rank.load() >= value) continue;
    if (sealed) return Stage::broken;
    result = Stage::waiting;
  }
  return result;
}

bool View::is_given_up() const {
  read_barrier();
  return board_.own().entered().is_sealed() && !protocol_switches.dont_look_back;
}

std::vector<std::size_t> View::lost(CounterOf counter, std::uint64_t value) const {
  std::vector<std::size_t> result;
  for (const std::size_t rank : workers_) {
    if (is_sealed(block(rank)) && (block(rank).*counter)().load() < value) result.push_back(rank);
  }
  return result;
}

void View::agree_on_the_dead(CounterOf counter, std::uint64_t value, Out out) {
  recovery_.see_broken();
  MemberSet dead(members_.member_count());
  for (const std::size_t rank : lost(counter, value)) dead.add(rank);
  const MemberSet decided = decisions_.decide(epoch_++, dead);
  const auto is_out = [&](std::size_t rank) { return decided.has(rank); };
  std::erase_if(workers_, is_out);
  if (out == Out::of_the_call && workers_.size() != ranks_.size()) {
    ++change_count_;
    set_ranks(std::exchange(workers_, {}));
  }
  recovery_.agree();
}

}  // namespace detour
