// Who takes part in the operations of a communicator whose members share memory.
//
// Members only go. They do so in two ways, which all survivors see alike:
//   - They have not entered a call, and are sealed: nobody will ever see them enter it (call_board.hpp).
//   - They have entered, but an attempt broke because of them: then the survivors decide who is out. If their data can be
//     read all the same, out of the work only: such members stay in the call, and don't enter the next.
//
// Why all who take part in an operation see the same: every stage of it waits for one counter of all members to
// reach a value. If one of them is sealed below the value, nobody gets past that stage; if none is, nobody breaks
// off. So all go through the same stages, and each broken one ends in the decision of the same number.
#pragma once

#include <algorithm>
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
  // Those of them who are left to do the work. The others have died in the middle of the call, but their data is in its
  // result all the same.
  const std::vector<std::size_t>& workers() const { return workers_; }
  bool has_worker(std::size_t rank) const {
    return std::binary_search(workers_.begin(), workers_.end(), rank);
  }
  const MemberSet& members() const { return members_; }
  // Whether its data is in the result; it may have died since: has_worker().
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
  // first could see. Of the call that is under way, or only of those who work on it.
  enum class Out { of_the_call, of_the_work };
  void agree_on_the_dead(CounterOf counter, std::uint64_t value, Out out = Out::of_the_call);

  // This rank has left the call, and reads nobody's data any more: for those who wait for that, with the number that
  // attempt_number() was when they entered it. By the counter `arrived`, which says so in routed operations, too.
  void say_left() const { board_.own().arrived().raise_to(attempt_number() + 1); }
  // Or will never use what it reads: but one that is being sealed might, until that is complete.
  static bool has_left(const MemberBlock& member, std::uint64_t attempt_number) {
    return member.arrived().load() > attempt_number || is_sealed(member);
  }

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
  void complete() { recovery_.complete(members_.member_count() - workers_.size()); }

 private:
  const MemberBlock& block(std::size_t rank) const { return board_.members()[rank]; }
  void set_ranks(std::vector<std::size_t> ranks);

  CallBoard& board_;
  DecisionStore& decisions_;
  std::vector<std::size_t> ranks_;
  std::vector<std::size_t> workers_;
  MemberSet members_;
  std::uint64_t epoch_ = 0;  // how often the survivors have decided who is out
  std::uint64_t change_count_ = 0;
  RecoveryRecord recovery_;
};

}  // namespace detour
