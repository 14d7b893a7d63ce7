// Where the ranks of a node tell each other what they have called, and learn whether all agree.
//
// An entry of call q is written again in call q+2. To get there its owner has finished call q+1, so it has
// seen everybody enter call q+1, and whoever does has left call q. (A member that was given up, but still runs, could
// get there without: it must not write anything.)
//
// The dead: a member whose counters are sealed below a call has not entered it and never will; it is left
// out from then on. One that is sealed above has said all that it had to say: its entry, and its data, are as
// good as anybody's. What a sealed counter says is final and the same for all, so that all survivors
// find the same members in every call, without a word.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "membership/member_set.hpp"
#include "node/member_block.hpp"

namespace detour {

class CallBoard {
 public:
  // The members' blocks in rank order, all created, mapped by this rank.
  CallBoard(std::size_t rank, std::vector<MemberBlock> members);

  std::size_t rank() const { return rank_; }
  const std::vector<MemberBlock>& members() const { return members_; }
  const MemberBlock& own() const { return members_[rank_]; }

  // The number of the call that this rank enters next, or is in if it has entered it.
  std::uint64_t call_number() const { return call_number_; }

  // When its data, if it is little, is in the small slot. False if the others take this rank for dead: then it is out for
  // good.
  [[gnu::hot]] bool enter(const MemberBlock::Entry& entry);
  // Some time before that: asks for the lines that this rank is going to write and others have read, with so much data. Only
  // a hint.
  [[gnu::hot]] void fetch_slots(std::size_t small_bytes) const;
  // Once it has entered, for those who wait for this rank: they learn of it sooner. With the data that is in the slot.
  [[gnu::hot]] void post_notice(std::span<const std::byte> small = {});

  // Whether all have entered who are going to. Until then these counters have to reach that value, or to
  // be sealed.
  [[gnu::hot]] bool all_have_entered();
  // Whether all have posted notices, as those who live do soon after they have entered.
  bool all_have_posted() const {
    return std::all_of(present_.begin(), present_.end(),
                       [this](std::size_t member) { return has_posted(member); });
  }
  // Whether that is so, and all have called the same. If not, nothing is said.
  [[gnu::hot]] bool notices_agree() const;
  const std::vector<const Counter*>& entered() const { return entered_; }
  // Of the same members: the stamps of notices reach the value when they are posted.
  const std::vector<const std::atomic<std::uint64_t>*>& stamps() const {
    return stamps_[call_number_ % 2];
  }
  std::uint64_t entered_value() const { return call_number_ + 1; }

  // Once all have entered: who has, in ascending order. Before that, who may.
  const std::vector<std::size_t>& present() const { return present_; }
  // The same on all ranks, because all merge the same headers in rank order.
  [[gnu::hot]] CallVerdict verdict() const;
  const MemberBlock::Entry& entry(std::size_t member) const {
    return members_[member].entry(call_number_);
  }
  // What it has entered with, if it is so little; and what all who are present have.
  [[gnu::hot]] const std::byte* small_data(std::size_t member, std::size_t bytes) const;
  [[gnu::hot]] void collect_small_data(std::size_t bytes, std::vector<const std::byte*>& all) const;

  // Done with the call, whatever became of it.
  void leave() { ++call_number_; }

 private:
  void leave_out(std::size_t position);
  static bool is_posted_beside(std::size_t small_bytes) {
    return small_bytes > Notice::data_bytes_max && small_bytes <= MemberBlock::posted_bytes_max;
  }
  bool has_posted(std::size_t member) const {
    return members_[member].notice(call_number_).is_posted(entered_value());
  }

  std::size_t rank_;
  std::vector<MemberBlock> members_;
  // Those who have not been found dead before entering a call.
  std::vector<std::size_t> present_;
  std::vector<const Counter*> entered_;  // theirs
  std::array<std::vector<const std::atomic<std::uint64_t>*>, 2> stamps_;
  std::uint64_t call_number_ = 0;
};

// Of a member that is dead, or is to be taken for dead: it will not be seen to do anything any more.
void seal(const MemberBlock& member);

// Counters are sealed one after the other. Whoever asks and finds one of them sealed sees to the others, so that
// the answer stands for all of them.
bool is_sealed(const MemberBlock& member);

}  // namespace detour
