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
//   - A result slot of piece p is written again for piece p+2, after everybody's `copied` is past p.
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
#include <utility>
#include <vector>

#include "collectives/combiner.hpp"
#include "node/member_block.hpp"
#include "node/pieces.hpp"
#include "shm/waiter.hpp"

namespace detour {

class DirectAttempt {
 public:
  struct Member {
    const MemberBlock* block = nullptr;
    std::uint64_t pipeline_offset = 0;
    std::uint64_t results_offset = 0;
  };
  enum class Result {
    done,
    broken,   // a member has died too early: it takes another attempt without it
    fenced,   // the others take this rank for dead
    stopped,  // the waiter was told to stop
  };

  // Those who take part, of whom this rank is the so many-th. Pieces, combiner and waiter have to live
  // longer.
  DirectAttempt(std::vector<Member> members, std::size_t position, const Pieces& pieces,
                const Combiner& combiner, const Waiter& waiter);

  // Piece 0 may be staged before the others are known.
  void stage_first(const std::byte* input) { stage(pieces_.piece(0), input); }

  // Where a member's slots are; before run().
  void set_slots(std::size_t position, std::uint64_t pipeline_offset,
                 std::uint64_t results_offset) {
    members_[position].pipeline_offset = pipeline_offset;
    members_[position].results_offset = results_offset;
  }

  // After piece 0 was staged. Output may be the input only if results are kept, by all.
  enum class Results { in_turns, kept };
  Result run(const std::byte* input, std::byte* output, Results results);

 private:
  Result reduce_piece(const Piece& piece, const std::byte* input);
  Result copy_piece(const Piece& piece, std::byte* output);
  Result wait_for_all(const std::vector<const Counter*>& counters, std::uint64_t value) const;
  Result wait_for_living(const std::vector<const Counter*>& counters, std::uint64_t value) const;
  void stage(const Piece& piece, const std::byte* input);
  void reduce_slice(const Piece& piece, const std::byte* input);
  void copy_slices(const Piece& piece, std::byte* output) const;
  std::byte* result_slot(const Member& member, const Piece& piece) const;
  void give_up() const;
  const Member& own() const { return members_[position_]; }

  std::vector<Member> members_;
  std::size_t position_;
  const Pieces& pieces_;
  const Combiner& combiner_;
  const Waiter& waiter_;
  Results results_ = Results::in_turns;
  std::vector<const Counter*> staged_;
  std::vector<const Counter*> reduced_;
  std::vector<const Counter*> copied_;
  std::vector<const std::byte*> inputs_;
};

}  // namespace detour
