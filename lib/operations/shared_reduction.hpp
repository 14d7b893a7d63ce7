// A reduction of one piece in which nobody waits for anybody once all have entered: the work is cut into parts, each rank
// that comes takes parts until none is left, and gets the rest from those who have formed it.
//
// Where there are more ranks than cores most come late, and find everything done. (Were each to reduce a slice of its own,
// all would have to wait until all had been given a core.) A few had better form all of it
// themselves, and have no parts to take and to fetch: see Gathering::is_among_few.
//
// All members have put their data into their staging slots before they entered, so that whoever has entered is in the
// result, dead or not, and any rank could form all of it alone: see work_ledger.hpp for what that saves. Slots are used in
// turns like those of attempts, by the number of the piece; when a call is entered, all have left the one before the last.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collectives/combiner.hpp"
#include "node/call_board.hpp"
#include "node/member_block.hpp"
#include "operations/slot_writing.hpp"

namespace detour {

class SharedReduction {
 public:
  struct Member {
    std::size_t rank = 0;
    const MemberBlock* block = nullptr;
    std::uint64_t pipeline_offset = 0;
  };
  struct Job {
    std::uint64_t call = 0;   // its number
    std::uint64_t piece = 0;  // which the payload is
    std::size_t bytes = 0;
    std::size_t part_bytes_min = 0;
    bool streams = false;              // the output is written past the caches
    bool forms_all = false;            // whatever others do; each member decides for itself
    const std::byte* input = nullptr;  // this rank's, as it was staged
  };

  // Before the call is entered.
  static void stage(const Member& own, std::uint64_t piece, const std::byte* input,
                    std::size_t bytes, SlotWriting& writing);

  // Among so many members at most. One after the other; the writing has to live longer.
  SharedReduction(std::size_t member_count_max, const SlotWriting& writing);

  // For the call that is on the board, when all have entered it. Needs no memory. The combiner has to live until the end.
  void begin(const CallBoard& board, const Job& job, const Combiner& combiner);
  // For those who are in a call, in rank order, of whom this rank is the so many-th.
  void begin(std::span<const Member> members, std::size_t position, const Job& job,
             const Combiner& combiner);

  // False: the output has the result.
  bool step(std::byte* output);

 private:
  struct Part {
    std::size_t first_byte = 0;
    std::size_t bytes = 0;
  };

  void begin(const Job& job, const Combiner& combiner);
  Part part(std::size_t number) const;
  void form(const Part& part, std::byte* place, SlotWriting::Way way);
  void form_all(std::byte* output);
  void collect(std::byte* output);
  const Member& own() const { return members_[position_]; }
  std::byte* sum_of(const Member& member) const {
    return member.block->result(member.pipeline_offset, job_.piece);
  }
  const Member* find_member(std::size_t rank) const;

  const SlotWriting* writing_;
  std::vector<Member> members_;
  std::size_t position_ = 0;
  Job job_;
  const Combiner* combiner_ = nullptr;
  WorkLedger* ledger_ = nullptr;
  std::size_t part_bytes_ = 0;
  std::size_t part_count_ = 0;
  std::optional<std::size_t> taken_;
  std::vector<const std::byte*> inputs_;
};

}  // namespace detour
