// A reduction of data that lies where all members can read it. Nothing is staged.
//
//   piece by piece: every worker reduces its slice of the piece from where the inputs are and, once all workers have, gets
//   all slices into its output. The piece is committed with that: in place, inputs are overwritten.
//
// Whoever has entered the call is in the result, dead or not, because its input lies in memory that outlives it. So what is
// committed stands, whoever dies: those who are left go on at the first piece that is not, and share its slices, and those
// of all pieces after it, among themselves. That is another reduction, of the rest.
//
// Results are formed in slots, of which there are two, used in turns; or, if nobody's output is its input and all of them
// can be read by all, in the outputs themselves.
//
// Why nobody reads what is being overwritten (pieces are numbered on and on):
//   - Inputs. A worker copies piece p, in place over its input, when all have reduced p: nobody reads that any more.
//   - Slots. That of piece p is written again for piece p+2, when everybody has copied p. For the first pieces everybody
//     has to have copied all that came before: what is left of another reduction may still be copied by somebody who
//     has not noticed yet that it was broken.
//   - At the end everybody waits until all others have copied, or are sealed. Then outputs that they read are the program's
//     again, and slots may be used for what is staged for the next call.
//
// When workers die. A sealed worker has reduced r pieces for good, so nobody copies a piece from r on, and everybody gets as
// far as r: what they need of the dead is in its slots, because it could not write over them before everybody had copied.
// There it is broken, for all at the same piece. (If several have died, that is the least r.) Inputs from that piece on are
// as they were, those of the dead too, so that the others can go on.
//
// A member that was given up, but still runs, can't copy any further either. But its input is needed until the others have
// left the call, and until then the program must not have it back: DirectOperation sees to that.
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

class MappedReduction {
 public:
  using Progress = AttemptProgress;

  enum class Results : std::uint8_t { in_slots, in_outputs };
  // What one worker has that others read.
  struct Worker {
    const MemberBlock* block = nullptr;
    std::uint64_t pipeline_offset = 0;
    std::byte* output = nullptr;  // of what is reduced; if results are formed there
  };
  struct Job {
    Pieces pieces;
    std::vector<const std::byte*> inputs;  // of all who have entered, in rank order
    std::byte* output = nullptr;
    Results results = Results::in_slots;
    bool replaces_input = false;  // which others have read
    bool streams = false;  // the output is written past the caches; each member decides for itself
  };

  // Those who share the work, of whom this rank is the so many-th. A slice of any piece has to fit into a slot. Combiner,
  // writing and bells have to live longer; there may be no bells.
  MappedReduction(std::vector<Worker> workers, std::size_t position, Job job,
                  const Combiner& combiner, SlotWriting& writing, const Bells* bells);

  Progress step();
  // After a step that was stuck.
  WaitList waits_for() const;

  const Pieces& pieces() const { return job_.pieces; }
  // How much of it has been committed.
  std::size_t committed_bytes() const { return job_.pieces.bytes_before(copied_count_); }

 private:
  Progress advance();
  Progress look_at_reduced();
  bool may_reduce() const;
  std::uint64_t copied_number_to_reduce() const;
  bool have_all_copied(std::uint64_t number) const;
  bool is_done();
  Progress reduce_next();
  Progress copy_next();
  void reduce_slice(const Piece& piece);
  void copy_slices(const Piece& piece);
  bool is_like_a_slot(std::size_t step) const;
  std::byte* result_place(std::size_t position, const Piece& piece, const Slice& slice) const;
  Progress raise(Counter& counter, std::size_t piece_count) const;
  void give_up() const;
  bool forms_outputs() const { return job_.results == Results::in_outputs; }
  const MemberBlock& own() const { return *workers_[position_].block; }

  std::vector<Worker> workers_;
  std::size_t position_;
  Job job_;
  const Combiner* combiner_;
  SlotWriting* writing_;
  const Bells* bells_;
  std::size_t reduced_count_ = 0;      // pieces, by this rank
  std::size_t copied_count_ = 0;       // by this rank
  std::size_t all_reduced_count_ = 0;  // by all, as far as this rank has looked
  std::vector<const Counter*> reduced_;
  std::vector<const Counter*> copied_;  // at the end, of those who are still waited for
  std::vector<const std::byte*> slices_;
};

}  // namespace detour
