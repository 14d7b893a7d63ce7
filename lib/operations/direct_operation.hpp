// The plan `direct` over shared memory, fused: the ranks of one node reduce straight from each other's
// memory, and go on without those that die.
//
//   small:  every rank puts its data into its own slot and enters the call; when all have, every rank
//           reads all slots and reduces them itself. One synchronisation. A slot of call q is written again
//           in call q+2, like an entry: see call_board.hpp. Whoever has entered is in the result,
//           dead or not, on all ranks alike. Where cores are short, whoever is first to see that all have
//           entered and agree tells the others, with the result: they look at one word then, not at everybody.
//   shared: the same with more data, and every rank forms a part for all, or finds that done: see
//           shared_reduction.hpp. Not so from some size on if it lies where all can read it: that is large.
//   large:  in attempts, see direct_attempt.hpp. When one is broken, the survivors agree on who is out
//           and begin the next one from their inputs.
//   mapped: large, but all inputs lie where all can read them: see mapped_reduction.hpp. When somebody dies, the
//           survivors agree on who is out and go on where they are.
//   none:   barriers, and calls that fail.
//
// Sums are formed in rank order, always, so all ranks get the same bits. Whoever gets only a part of the result
// forms all of it aside.
//
// One object does a communicator's operations one after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "collectives/call.hpp"
#include "operations/bells.hpp"
#include "operations/direct_attempt.hpp"
#include "operations/direct_memory.hpp"
#include "operations/direct_way.hpp"
#include "operations/gathering.hpp"
#include "operations/mapped_reduction.hpp"
#include "operations/operation.hpp"
#include "operations/saved_input.hpp"
#include "operations/shared_reduction.hpp"
#include "operations/short_sums.hpp"
#include "operations/slot_writing.hpp"
#include "operations/view.hpp"
#include "protocol_switches.hpp"

namespace detour {

class DirectOperation final : public Operation {
 public:
  // All have to live longer. The board's members' blocks are laid out like this.
  using Node = Gathering::Node;
  DirectOperation(View& view, const MemberBlockLayout& layout, DirectMemory& memory,
                  const Bells& bells, const OperationErrors& errors, Node node);

  // Elements are not cut up: larger ones can't be reduced here.
  bool holds_elements_of(std::size_t bytes) const { return bytes <= layout_.piece_bytes; }
  // Who has not left the last call, and may be reading this rank's slots.
  std::vector<std::size_t> readers() const;

  // Enters the next call, once the one before has ended, as soon as there is memory for it. It has to live longer, until
  // the end. `Survives::no`: a death in the middle of it is an error, and nothing is done to be able to begin again.
  // All ranks have chosen the same way.
  enum class Survives { yes, no };
  [[gnu::hot]] void begin(const Call& call, Survives survives, const DirectWay& way);
  // The short way of what is small, or shared; and how to go on with a call that was begun there.
  ShortSums& short_sums() { return short_sums_; }
  void take_over(const Call& call, Survives survives, const DirectWay& way);

  [[gnu::hot]] Progress step() override;
  [[gnu::hot]] WaitList waits_for() const override;
  [[gnu::hot]] bool awaits_room() const override { return state_ == State::getting_room; }
  [[gnu::hot]] int error() const override { return error_; }
  // This rank has withdrawn. False if the operation has ended; otherwise it goes on until the others are through with what
  // they read of the program's memory, and ends with this error.
  bool abandon(int error);

  int attempt_count() const { return attempt_count_; }

 private:
  enum class State {
    getting_room,
    entered,
    meeting,
    sharing,
    reducing,
    reducing_mapped,
    leaving,
    ended
  };

  void start_anew(const Call& call, Survives survives, const DirectWay& way);
  Progress get_room();
  void prepare_large();
  // Asks for what a small call is going to write, where ranks have cores of their own.
  [[gnu::hot]] void fetch_output() const;
  [[gnu::hot]] void enter();
  // What a small call comes with; nothing if there is nothing to reduce.
  std::span<const std::byte> small_input() const;
  [[gnu::hot]] Progress meet();
  [[gnu::hot]] Progress go_on_together();
  [[gnu::hot]] Progress hear(std::size_t teller);
  bool is_small() const { return call_->header.bytes <= layout_.small_bytes; }
  // Whether this rank has its data ready for all to share the work on it.
  bool is_shared() const {
    return way_.is_whole() && call_->header.bytes <= layout_.piece_bytes &&
           !is_better_read_in_place(places_);
  }
  bool is_better_read_in_place(const MemberBlock::Places& places) const {
    return places.input_offset != MemberBlock::nowhere &&
           places.output_offset != MemberBlock::nowhere &&
           call_->header.bytes >= layout_.read_in_place_bytes_min;
  }
  bool all_share() const;
  bool has_entered_with_whole_data() const {
    return state_ >= State::entered && state_ <= State::sharing && moves_data_ && !is_small() &&
           is_shared();
  }
  [[gnu::hot]] void reduce_small();
  void begin_sharing();
  Progress share();
  Progress begin_first_attempt(bool somebody_is_missing);
  Progress begin_attempt();
  Progress reduce_large();
  void stage_first();
  Progress start(DirectAttempt& attempt, DirectAttempt::Mode mode);
  DirectAttempt make_attempt();
  DirectAttempt::Results choose_results() const;
  Progress begin_mapped();
  Progress go_on_mapped();
  Progress reduce_mapped();
  bool all_inputs_are_mapped() const;
  MappedReduction::Results choose_mapped_results() const;
  bool all_have_room_for(const Pieces& cut) const;
  template <class Predicate>
  bool all_entries(Predicate predicate) const {
    return std::all_of(view_.ranks().begin(), view_.ranks().end(),
                       [&](std::size_t rank) { return predicate(view_.board().entry(rank)); });
  }
  bool any_in_place() const;
  bool keeps_inputs() const;
  const std::byte* original_input() const;
  Pieces pieces() const { return cut(piece_bytes(), header_.bytes); }
  Pieces mapped_pieces() const;
  std::size_t piece_bytes() const;
  Pieces cut(std::size_t piece_bytes, std::size_t payload_bytes) const;
  // That each member needs to keep results of as many members as there are now.
  std::size_t results_bytes(const Pieces& cut) const {
    return cut.count() * cut.slice_bytes_max(view_.ranks().size());
  }
  std::byte* result() const { return aside_ ? aside_.get() : call_->output; }
  // Nothing may be overwritten that this rank or another might need to begin again. The same on all ranks.
  bool saves_inputs() const {
    return survives_ == Survives::yes && !protocol_switches.overwrite_input;
  }
  bool replaces_input() const { return call_->input == result(); }
  bool is_in_place() const { return saves_inputs() && replaces_input(); }
  bool streams() const;
  bool keeps_mapped_in_caches() const;
  bool streams_mapped() const;
  [[gnu::hot]] bool is_root_lost() const;
  Progress end_without_root();
  [[gnu::hot]] Progress deliver();
  // Whether others may read this rank's input in the program's memory.
  bool has_entered_with_mapped_input() const;
  Progress leave(int error);
  Progress wait_for_readers();
  void say_left() const;
  [[gnu::hot]] Progress end(int error);

  View& view_;
  const MemberBlockLayout layout_;
  DirectMemory& memory_;
  const Bells& bells_;
  const OperationErrors& errors_;

  const Call* call_ = nullptr;
  CallHeader header_;  // of the call, with what goes wrong before it is entered
  Survives survives_ = Survives::yes;
  DirectWay way_;
  State state_ = State::ended;
  int error_ = 0;
  bool moves_data_ = false;
  bool rings_ = false;  // somebody may be asleep on a bell
  std::unique_ptr<std::byte[]> aside_;
  std::optional<DirectAttempt> attempt_;
  int attempt_count_ = 0;
  MemberBlock::Places places_;
  bool last_kept_results_ = false;
  std::optional<MappedReduction> mapped_;
  std::vector<const std::byte*> mapped_inputs_;  // of all who have entered, by rank
  MappedReduction::Results mapped_results_ = {};
  std::size_t committed_bytes_ = 0;           // of a mapped call, by reductions that were broken
  std::uint64_t entered_attempt_ = 0;         // the view's number when the call was entered
  std::vector<const Counter*> readers_left_;  // counters of those who have not left the call
  std::uint64_t piece_count_ = 0;             // in all attempts at all calls
  SlotWriting writing_{layout_.measured_write_bytes_min};
  SharedReduction sharing_;
  // A copy of the input, when the output overwrites it too early.
  SavedInput saved_input_;
  std::vector<const std::byte*> inputs_;
  Gathering gathering_;
  ShortSums short_sums_;
};

}  // namespace detour
