// One attempt to reduce large data among members that share memory, but can't all read each other's inputs.
//
//   piece by piece: every member stages its piece, reduces its own slice from everybody's staging slot into
//   its result slot, and copies all slices into its output. Whatever can be done next is done: results that are there
//   are copied first, and pieces to come are staged while one waits for results.
//
// There are two staging slots, used in turns, and two result slots likewise. But if any member's output is its
// input, nothing may be overwritten before the whole result is there, because another attempt might need it:
// then results are kept, each in a place of its own, and copied at the end. (Where there is no room for that,
// such members work from a copy of their input.)
//
// Who may overwrite what, and when (pieces are numbered on and on):
//   - A staging slot of piece p is written again for piece p+2, after everybody's `reduced` is past p.
//   - A result slot of piece p is written again for piece p+2, after everybody has staged that: whoever stages
//     p+2 has copied p.
//   - In the first two pieces of an attempt there is nothing to wait for, nor for kept results: all members
//     have entered the call, so they have left the one before, and what a broken attempt left is void.
//   - Inputs are the program's again when an attempt is done: nobody else reads them.
//
// When members die: an attempt is broken as soon as a member is sealed that has not reduced its slice of the
// last piece. Whoever finishes has seen everybody do that. So either some member finishes, and then all can,
// because what they still need of the dead is in its memory; or none does. Sealed counters being final,
// all who are left come to the same conclusion. Whoever does raises its counters to the end of the attempt,
// so that those who have not noticed yet don't wait for it; they read slots that others have begun to write
// anew, but what they make of them is never used, for they can't finish either.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/combiner.hpp"
#include "node/member_block.hpp"
#include "operations/attempt_progress.hpp"
#include "operations/bells.hpp"
#include "operations/pieces.hpp"
#include "operations/slot_writing.hpp"
#include "shm/wait_list.hpp"

namespace detour {

class DirectAttempt {
 public:
  struct Member {
    const MemberBlock* block = nullptr;
    MemberBlock::Places places = {};
  };

  // Those who take part, of whom this rank is the so many-th. Combiner, writing and bells, which are rung whenever
  // something has changed for the others, have to live longer; there may be no bells.
  DirectAttempt(std::vector<Member> members, std::size_t position, const Pieces& pieces,
                const Combiner& combiner, SlotWriting& writing, const Bells* bells);

  // Piece 0 may be staged before the others are known.
  void stage_first(const std::byte* input) { stage(pieces_.piece(0), input); }

  void set_places(std::size_t position, const MemberBlock::Places& places) {
    members_[position].places = places;
  }

  enum class Results { in_turns, kept };
  struct Mode {
    bool all_have_staged = false;  // piece 0, before they entered the call: nobody need say so
    Results results = Results::in_turns;  // kept ones are copied when the last of them is there
    // Outputs, and results that are copied at the end, are written past the caches; each member decides for itself.
    bool streams = false;
  };
  // When everybody's places are known and piece 0 was staged. Output may be the input only if results are kept, by all, or
  // if no other attempt is going to follow.
  void begin(const std::byte* input, std::byte* output, const Mode& mode);

  using Progress = AttemptProgress;
  Progress step();
  // After a step that was stuck.
  WaitList waits_for() const;

  const Pieces& pieces() const { return pieces_; }

 private:
  // How many pieces all members have done with, as far as this rank has looked.
  struct Tally {
    std::vector<const Counter*> counters;
    std::size_t piece_count = 0;
  };

  Progress advance();
  Progress look_and_copy();
  Progress look_and_reduce();
  Progress look(Tally& tally) const;
  bool may_copy() const;
  bool may_reduce() const { return reduced_count_ < all_staged_.piece_count; }
  bool may_stage() const;
  Progress stage_next();
  Progress reduce_next();
  Progress copy_next();
  Progress raise(Counter& counter, std::size_t piece_count) const;
  void give_up() const;
  void stage(const Piece& piece, const std::byte* input);
  void reduce_slice(const Piece& piece);
  void copy_slices(const Piece& piece) const;
  bool passes_caches(std::size_t bytes) const;
  // Its own slice of the output is written as it is reduced.
  bool writes_own_slice_at_once() const { return mode_.streams && !keeps_results(); }
  bool keeps_results() const { return mode_.results == Results::kept; }
  const std::byte* input_of(const Member& member, const Piece& piece) const;
  std::byte* result_place(std::size_t position, const Piece& piece) const;
  const Member& own() const { return members_[position_]; }
  WaitList until_one_more(const Tally& tally) const {
    return {tally.counters, pieces_.number_after(tally.piece_count + 1)};
  }

  std::vector<Member> members_;
  std::size_t position_;
  Pieces pieces_;
  const Combiner* combiner_;
  SlotWriting* writing_;
  const Bells* bells_;
  const std::byte* input_ = nullptr;
  std::byte* output_ = nullptr;
  Mode mode_;
  // Of this rank; staged is what it has said that it has.
  std::size_t staged_count_ = 0;
  std::size_t reduced_count_ = 0;
  std::size_t copied_count_ = 0;
  Tally all_staged_;
  Tally all_reduced_;
  std::vector<const std::byte*> inputs_;
};

}  // namespace detour
