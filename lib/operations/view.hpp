// Who takes part in the operations of a communicator whose members share memory.
//
// Members only go. They do so in two ways, which all survivors see alike:
//   - They have not entered a call, and are sealed: nobody will ever see them enter it (call_board.hpp).
//   - They have entered, but an attempt broke because of them: then the survivors decide who is out.
//
// Why all who take part in an operation see the same: every stage of it waits for one counter of all members to
// reach a value. If one of them is sealed below the value, nobody gets past that stage; if none is, nobody breaks
// off. So all go through the same stages, and each broken one ends in the decision of the same number.
#pragma once

#include <cstdint>
#include <vector>

#include "membership/decision_store.hpp"
#include "node/call_board.hpp"
#include "operations/operation.hpp"
#include "operations/recovery_record.hpp"

namespace detour {

class View {
 public:
  // Both have to live longer.
  View(CallBoard& board, DecisionStore& decisions);

  CallBoard& board() const { return board_; }
  std::size_t rank() const { return board_.rank(); }
  // Of the last call, or of the one under way as far as it is settled; ascending.
  const std::vector<std::size_t>& ranks() const { return ranks_; }
  const MemberSet& members() const { return members_; }
  bool has(std::size_t rank) const { return members_.has(rank); }
  // How often members were lost, be it by a decision or because they did not come: the same on all ranks after a call.
  std::uint64_t change_count() const { return change_count_; }
  // A number for every attempt at every call, rising: calls and decisions both only go up.
  std::uint64_t attempt_number() const { return board_.call_number() + epoch_; }

  // Once all have entered a call: only they take part. True if somebody is missing who was there before.
  [[gnu::hot]] bool adopt_present();

  // Until all have entered a call.
  WaitList entering() const { return {board_.entered(), board_.entered_value()}; }

  // What one stage of an operation has come to.
  enum class Stage { waiting, reached, broken };
  using CounterOf = Counter& (MemberBlock::*)() const;
  Stage stage(CounterOf counter, std::uint64_t value) const;

  // Those who break a stage, as far as this rank can see.
  std::vector<std::size_t> lost(CounterOf counter, std::uint64_t value) const;

  // After a broken stage, by all who are left: takes out those who broke it, as far as this rank or whoever was
  // first could see.
  void agree_on_the_dead(CounterOf counter, std::uint64_t value);

  // Whether the others have given up this rank. To be asked after reading what they wrote for a stage that this rank
  // is in: they don't wait for it to have read it any more. If it read something that they wrote after they had
  // seen the seal, it sees the seal here.
  [[gnu::hot]] bool is_given_up() const;

  // This rank can't go on: for the others it is as good as dead.
  void withdraw() const { seal(board_.own()); }

  // When members were lost, and how soon the others got over it.
  RecoveryRecord& recovery() { return recovery_; }
  // Another attempt has its plan; an operation has ended well.
  void begin_again() { recovery_.begin_again(); }
  void complete() { recovery_.complete(members_.member_count() - ranks_.size()); }

 private:
  const MemberBlock& block(std::size_t rank) const { return board_.members()[rank]; }
  void set_ranks(std::vector<std::size_t> ranks);

  CallBoard& board_;
  DecisionStore& decisions_;
  std::vector<std::size_t> ranks_;
  MemberSet members_;
  std::uint64_t epoch_ = 0;  // how often the survivors have decided who is out
  std::uint64_t change_count_ = 0;
  RecoveryRecord recovery_;
};

}  // namespace detour
