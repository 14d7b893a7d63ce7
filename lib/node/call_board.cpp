#include "node/call_board.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "fault_points.hpp"
#include "shm/fetching.hpp"

namespace detour {

CallBoard::CallBoard(std::size_t rank, std::vector<MemberBlock> members)
    : rank_(rank), members_(std::move(members)), present_(members_.size()) {
  std::iota(present_.begin(), present_.end(), std::size_t{0});
  for (const MemberBlock& member : members_) {
    entered_.push_back(&member.entered());
    for (std::size_t turn = 0; turn < 2; ++turn) {
      stamps_[turn].push_back(&member.notice(turn).stamp());
    }
  }
}

bool CallBoard::enter(const MemberBlock::Entry& entry) {
  own().entry(call_number_) = entry;
  DETOUR_FAULT_POINT("entering");
  const bool is_in = own().entered().raise_to(entered_value());
  DETOUR_FAULT_POINT("entered");
  return is_in;
}

// It takes about as long to get such lines back as to tell others something: time in which this rank can get on. A notice only
// if all data is in it, and it is posted soon: who comes late is waited for, and whoever waits takes the line away again.
void CallBoard::fetch_slots(std::size_t small_bytes) const {
  const MemberBlock& block = own();
  if (small_bytes <= Notice::data_bytes_max) {
    block.notice(call_number_).prepare();
  } else if (is_posted_beside(small_bytes)) {
    fetch_for_writing(block.posted(call_number_), small_bytes);
  } else {
    fetch_for_writing(block.small(call_number_), small_bytes);
  }
}

void CallBoard::post_notice(std::span<const std::byte> small) {
  const MemberBlock& block = own();
  const std::uint64_t brief_header = brief(block.entry(call_number_).header);
  if (is_posted_beside(small.size())) {
    std::memcpy(block.posted(call_number_), small.data(), small.size());
  }
  block.notice(call_number_).post(entered_value(), brief_header, small);
}

bool CallBoard::all_have_entered() {
  for (std::size_t at = 0; at < present_.size();) {
    if (has_posted(present_[at])) {
      ++at;
      continue;
    }
    const Counter& counter = members_[present_[at]].entered();
    // A seal is looked for first: what was raised before it counts.
    const bool sealed = counter.is_sealed();
    if (counter.load() >= entered_value()) {
      ++at;
    } else if (sealed) {
      leave_out(at);
    } else {
      return false;
    }
  }
  return true;
}

void CallBoard::leave_out(std::size_t position) {
  const auto erase = [position](auto& list) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(position));
  };
  erase(present_);
  erase(entered_);
  for (auto& stamps : stamps_) erase(stamps);
}

// Whoever has not posted is read about in its entry.
bool CallBoard::notices_agree() const {
  const std::uint64_t mine = own().notice(call_number_).brief_header();
  return mine != 0 && std::all_of(present_.begin(), present_.end(), [&](std::size_t member) {
           return has_posted(member) &&
                  members_[member].notice(call_number_).brief_header() == mine;
         });
}

const std::byte* CallBoard::small_data(std::size_t member, std::size_t bytes) const {
  const MemberBlock& block = members_[member];
  if (bytes > MemberBlock::posted_bytes_max || !has_posted(member)) {
    return block.small(call_number_);
  }
  return is_posted_beside(bytes) ? block.posted(call_number_) : block.notice(call_number_).data();
}

void CallBoard::collect_small_data(std::size_t bytes, std::vector<const std::byte*>& all) const {
  all.clear();
  for (const std::size_t member : present_) all.push_back(small_data(member, bytes));
}

CallVerdict CallBoard::verdict() const {
  if (notices_agree()) return {.header = own().entry(call_number_).header};
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
