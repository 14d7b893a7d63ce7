// The plan `direct` over shared memory, fused: the ranks of one node reduce straight from each other's
// memory, and go on without those that die.
//
//   small:  every rank puts its data into its own slot and enters the call; when all have, every rank
//           reads all slots and reduces them itself. One synchronisation. A slot of call q is written again
//           in call q+2, like an entry: see call_board.hpp. Whoever has entered is in the result,
//           dead or not, on all ranks alike.
//   large:  in attempts, see direct_attempt.hpp. When one is broken, the survivors agree on who is out
//           and begin the next one from their inputs.
//
// Sums are formed in rank order, always, so all ranks get the same bits.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/combiner.hpp"
#include "membership/decision_store.hpp"
#include "node/call_board.hpp"
#include "node/direct_attempt.hpp"
#include "shm/waiter.hpp"

namespace detour {

enum class CallResult {
  done,
  mismatch,  // verdict() says why: nothing was written, the next call works
  fenced,    // the others have gone on without this rank
  stopped,   // the waiter was told to stop
};

class DirectGroup {
 public:
  // Board and decisions have to live longer. The board's members' blocks are laid out like this.
  DirectGroup(CallBoard& board, DecisionStore& decisions, const MemberBlockLayout& layout,
              Waiter waiter);

  // Elements are not cut up: larger ones can't be reduced here.
  bool holds_elements_of(std::size_t bytes) const { return bytes <= layout_.piece_bytes; }
  bool needs_pipeline(std::size_t bytes) const { return bytes > layout_.small_bytes; }
  // Where this rank's slots are in its heap; before the first call that needs a pipeline. Either may be
  // moved between calls: the old place is free when all have entered the next one.
  void set_pipeline(std::uint64_t offset) { pipeline_offset_ = offset; }
  void set_results(std::uint64_t offset, std::uint64_t bytes);
  // Whether this call, or the last one, keeps results.
  bool results_are_wanted(bool is_in_place) const { return is_in_place || last_was_in_place_; }
  // Whether all have left the last call: then nobody reads this rank's slots.
  bool is_idle() const;
  // The room that results take if they have to be kept.
  std::size_t kept_bytes(const Combiner& combiner, std::size_t bytes) const;

  // The header's bytes are the size of input and output, which may be the same.
  CallResult allreduce(const CallHeader& header, const Combiner& combiner, const std::byte* input,
                       std::byte* output);
  // Calls that move no data: barriers, and those that fail.
  CallResult meet(const CallHeader& header);

  // Of the last call: what all have said, whose data is in the result, and how many attempts it took.
  const CallVerdict& verdict() const { return verdict_; }
  const MemberSet& contributors() const { return contributors_; }
  int attempt_count() const { return attempt_count_; }
  // How often the survivors have agreed on who is out.
  std::uint64_t epoch() const { return epoch_; }

 private:
  CallResult enter(const CallHeader& header, bool is_in_place);
  CallResult allreduce_small(const CallHeader& header, const Combiner& combiner,
                             const std::byte* input, std::byte* output);
  CallResult allreduce_large(const CallHeader& header, const Combiner& combiner,
                             const std::byte* input, std::byte* output);
  DirectAttempt::Result attempt_anew(const Pieces& cut, const Combiner& combiner,
                                     const std::byte* input, std::byte* output);
  DirectAttempt::Result run(DirectAttempt& attempt, const Pieces& cut, const std::byte* input,
                            std::byte* output);
  DirectAttempt prepare(const MemberSet& members, const Pieces& cut,
                        const Combiner& combiner) const;
  DirectAttempt::Results results_mode(const std::vector<std::size_t>& ranks,
                                      const Pieces& cut) const;
  MemberSet present() const;
  void save_input(const std::byte* input);
  MemberSet agree_on_the_dead(const MemberSet& members, std::uint64_t end_number);
  Pieces pieces(const Combiner& combiner, std::size_t bytes) const;

  CallBoard& board_;
  DecisionStore& decisions_;
  const MemberBlockLayout layout_;
  const Waiter waiter_;
  CallVerdict verdict_;
  MemberSet contributors_;
  std::size_t contributor_count_;
  int attempt_count_ = 0;
  std::uint64_t epoch_ = 0;
  std::uint64_t pipeline_offset_ = 0;
  std::uint64_t results_offset_ = 0;
  std::uint64_t results_bytes_ = 0;
  bool last_was_in_place_ = false;  // on any rank
  std::uint64_t piece_count_ = 0;
  // A copy of the input, when the output overwrites it too early.
  std::vector<std::byte> undo_;
  bool has_undo_ = false;  // in the current call
  std::vector<const std::byte*> inputs_;
};

}  // namespace detour
