#include "node/call_board.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "fault_points.hpp"

namespace detour {

CallBoard::CallBoard(std::size_t rank, std::vector<MemberBlock> members)
    : rank_(rank), members_(std::move(members)), present_(members_.size()) {
  std::iota(present_.begin(), present_.end(), std::size_t{0});
  for (const MemberBlock& member : members_) entered_.push_back(&member.entered());
}

bool CallBoard::enter(const MemberBlock::Entry& entry) {
  own().entry(call_number_) = entry;
  DETOUR_FAULT_POINT("entering");
  const bool is_in = own().entered().raise_to(entered_value());
  DETOUR_FAULT_POINT("entered");
  return is_in;
}

bool CallBoard::all_have_entered() {
  for (std::size_t at = 0; at < present_.size();) {
    const Counter& counter = members_[present_[at]].entered();
    // A seal is looked for first: what was raised before it counts.
    const bool sealed = counter.is_sealed();
    if (counter.load() >= entered_value()) {
      ++at;
    } else if (sealed) {
      leave_out(present_[at]);
    } else {
      return false;
    }
  }
  return true;
}

void CallBoard::leave_out(std::size_t member) {
  std::erase(present_, member);
  std::erase(entered_, &members_[member].entered());
}

CallVerdict CallBoard::verdict() const {
  CallVerdict verdict{.header = entry(present_[0]).header};
  for (std::size_t at = 1; at < present_.size(); ++at) {
    verdict = merge(verdict, {.header = entry(present_[at]).header});
  }
  return verdict;
}

// The last stage of a call first: whoever sees that a member will not enter the next one writes over what that member,
// if it still runs, is reading in this one. So by then it must not be able to say that it has read it.
void seal(const MemberBlock& member) {
  const auto counters = member.counters();
  std::for_each(counters.rbegin(), counters.rend(), [](Counter* counter) { counter->seal(); });
}

bool is_sealed(const MemberBlock& member) {
  const auto counters = member.counters();
  const bool any = std::any_of(counters.begin(), counters.end(),
                               [](const Counter* counter) { return counter->is_sealed(); });
  if (any) seal(member);
  return any;
}

}  // namespace detour
