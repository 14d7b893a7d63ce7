// Where the ranks of a node tell each other what they have called, and learn whether all agree.
//
// An entry of call q is written again in call q+2. To get there its owner has finished call q+1, so it has
// seen everybody enter call q+1, and whoever does has left call q.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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

  void enter(const CallHeader& header, std::uint64_t pipeline_offset = 0);

  // What to wait for: all of these at this value.
  std::span<const Counter* const> entered() const { return entered_; }
  std::uint64_t entered_value() const { return call_number_ + 1; }
  bool all_have_entered() const;

  // Once all have entered: the same on all ranks, because all merge the same headers in rank order.
  CallVerdict verdict() const;
  std::uint64_t pipeline_offset(std::size_t member) const {
    return members_[member].entry(call_number_).pipeline_offset;
  }

  // Done with the call, whatever became of it.
  void leave() { ++call_number_; }

 private:
  std::size_t rank_;
  std::vector<MemberBlock> members_;
  std::vector<const Counter*> entered_;
  std::uint64_t call_number_ = 0;
};

}  // namespace detour
