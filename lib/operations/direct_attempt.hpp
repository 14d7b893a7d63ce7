// One attempt to reduce large data among members that share memory.
//
//   piece by piece: every member stages its piece, reduces its own slice from everybody's staging slot into
//   its result slot, and copies all slices into its output. Staging piece p+1 overlaps with waiting for
//   piece p.
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
#include "operations/bells.hpp"
#include "operations/operation.hpp"
#include "operations/pieces.hpp"

namespace detour {

class DirectAttempt {
 public:
  struct Member {
    const MemberBlock* block = nullptr;
    std::uint64_t pipeline_offset = 0;
    std::uint64_t results_offset = 0;
  };

  // Those who take part, of whom this rank is the so many-th. Combiner and bells, which are rung whenever
  // something has changed for the others, have to live longer; there may be no bells.
  DirectAttempt(std::vector<Member> members, std::size_t position, const Pieces& pieces,
                const Combiner& combiner, const Bells* bells);

  // Piece 0 may be staged before the others are known.
  void stage_first(const std::byte* input) { stage(pieces_.piece(0), input); }

  // Where a member's slots are; before begin().
  void set_slots(std::size_t position, std::uint64_t pipeline_offset,
                 std::uint64_t results_offset) {
    members_[position].pipeline_offset = pipeline_offset;
    members_[position].results_offset = results_offset;
  }

  // After piece 0 was staged. Output may be the input only if results are kept, by all, or if no other attempt
  // is going to follow.
  enum class Results { in_turns, kept };
  void begin(const std::byte* input, std::byte* output, Results results);

  enum class Progress {
    moved,
    stuck,
    done,
    broken,  // a member has died too early: it takes another attempt without it
    fenced,  // the others take this rank for dead
  };
  Progress step();
  // After a step that was stuck.
  WaitList waits_for() const;

  const Pieces& pieces() const { return pieces_; }

 private:
  // What comes next for the piece at hand.
  enum class Phase { publish, await_staged, reduce, await_reduced, copy, copy_kept };

  Progress publish();
  Progress await(const std::vector<const Counter*>& counters, Phase next);
  Progress reduce();
  Progress copy();
  Progress next_piece();
  Progress raise(Counter& counter, std::uint64_t value) const;
  void give_up() const;
  void stage(const Piece& piece, const std::byte* input);
  void reduce_slice(const Piece& piece);
  void copy_slices(const Piece& piece) const;
  std::byte* result_slot(const Member& member, const Piece& piece) const;
  const Member& own() const { return members_[position_]; }
  Piece piece() const { return pieces_.piece(index_); }
  // What a counter says of whoever is done with the piece at hand.
  std::uint64_t done_value() const { return piece().number + 1; }

  std::vector<Member> members_;
  std::size_t position_;
  Pieces pieces_;
  const Combiner* combiner_;
  const Bells* bells_;
  const std::byte* input_ = nullptr;
  std::byte* output_ = nullptr;
  Results results_ = Results::in_turns;
  Phase phase_ = Phase::publish;
  std::size_t index_ = 0;            // of the piece at hand
  std::size_t published_count_ = 0;  // pieces that this rank has staged and said so
  std::vector<const Counter*> staged_;
  std::vector<const Counter*> reduced_;
  std::vector<const std::byte*> inputs_;
};

}  // namespace detour
