#include "node/call_board.hpp"

#include <algorithm>
#include <utility>

namespace detour {

CallBoard::CallBoard(std::size_t rank, std::vector<MemberBlock> members)
    : rank_(rank), members_(std::move(members)) {
  for (const MemberBlock& member : members_) entered_.push_back(&member.entered());
}

void CallBoard::enter(const CallHeader& header, std::uint64_t pipeline_offset) {
  own().entry(call_number_) = {header, pipeline_offset};
  own().entered().raise_to(entered_value());
}

bool CallBoard::all_have_entered() const {
  return std::all_of(entered_.begin(), entered_.end(),
                     [this](const Counter* counter) { return counter->load() >= entered_value(); });
}

CallVerdict CallBoard::verdict() const {
  CallVerdict verdict{.header = members_[0].entry(call_number_).header};
  for (std::size_t member = 1; member < members_.size(); ++member) {
    verdict = merge(verdict, {.header = members_[member].entry(call_number_).header});
  }
  return verdict;
}

}  // namespace detour
