// One collective call, carried out by messages along a plan's routes.
//
// Where all members share memory, in attempts:
//
//   getting room, which may take until others have done with memory that they still read: see room_maker.hpp
//   entering    all enter the call, and compare what they have called
//   moving      data moves; whoever holds its whole result has arrived
//   closing     when all have arrived the result is committed: only now anything is overwritten that another attempt
//               would need
//
// Every stage waits for a counter of all members (view.hpp). If one of them is sealed below its value, those who are
// left agree on who is out and begin another attempt, round the holes:
//
//   joining     each says that it has given up the attempt before: from then on nobody arrives in that one. So who
//               had arrived is settled: if the root of a broadcast is gone, the lowest who has all data takes its
//               place, and if nobody has, all end with an error.
//   preparing   each gets memory for the new route, and says whether there was any
//   moving ...
//
// That also happens, from `joining` on, when somebody is found missing when all have entered.
//
// Nobody returns before all have arrived: so nobody's data, in memory of its own, is needed any more. Messages carry
// the attempt's number as their epoch: what broken attempts left in queues is dropped when all have joined the next one, as
// nobody sends in those any more. So whoever sees that others have not received all that it sent them only has to wait.
//
// Among members that don't share memory calls are compared by messages, there is one attempt, and a death that is
// known ends the operation with an error.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "collectives/call.hpp"
#include "collectives/executor.hpp"
#include "operations/bells.hpp"
#include "operations/operation.hpp"
#include "operations/operation_links.hpp"
#include "operations/route_book.hpp"
#include "operations/verdict_combiner.hpp"
#include "operations/view.hpp"

namespace detour {

class RoutedOperation final : public Operation {
 public:
  // What an operation runs on; all has to live longer.
  struct Means {
    View* view = nullptr;  // none: not all members share memory
    RouteBook& book;
    LinkSource& links;
    const Bells& bells;
    const OperationErrors& errors;
    // Of the operation in its communicator, never the same twice; where there is no view.
    std::uint64_t number = 0;
    // Whether it can begin again after a death, which takes a view.
    bool survives = true;
  };

  // Enters the call at once, if there is memory for it. The call has to live longer.
  RoutedOperation(const Means& means, const Call& call);
  RoutedOperation(const RoutedOperation&) = delete;
  RoutedOperation& operator=(const RoutedOperation&) = delete;

  Progress step() override;
  WaitList waits_for() const override;
  bool awaits_room() const override {
    return state_ == State::getting_room || state_ == State::preparing;
  }
  int error() const override { return error_; }

  int attempt_count() const { return attempt_count_; }

 private:
  enum class State {
    getting_room,
    entering,
    agreeing,
    joining,
    preparing,
    reported,
    moving,
    closing,
    ended
  };

  Progress take_step();
  Progress get_room();
  bool open_links();
  std::optional<int> make_route();
  bool room_comes_later() const { return links_ && links_->room_comes_later(); }
  void get_room_aside();
  bool enter();
  bool begin_to_agree();

  Progress meet();
  Progress agree_by_messages();
  Progress begin_to_move();
  Progress move();
  Progress close();

  Progress begin_anew();
  Progress join();
  Progress prepare();
  Progress report();
  Progress check_reports();
  Progress regroup(View::CounterOf counter, std::uint64_t value);
  bool is_root_lost() const;
  bool find_source();
  Progress end_without_root();

  std::uint64_t attempt_number() const;
  std::uint64_t epoch() const { return 2 * attempt_number() + 1; }
  std::uint64_t join_value() const { return 2 * attempt_number() + 1; }
  std::uint64_t report_value() const { return 2 * attempt_number() + 2; }
  std::uint64_t arrival_value() const { return attempt_number() + 1; }
  bool raise(View::CounterOf counter, std::uint64_t value);
  const MemberBlock& own_block() const { return means_.view->board().own(); }
  bool needs_aside() const;
  void commit();
  Progress end(int error);

  const Means means_;
  const Call& call_;
  State state_ = State::getting_room;
  int error_ = 0;
  int attempt_count_ = 1;
  std::uint64_t first_attempt_ = 0;
  Rank source_ = no_rank;  // whom data comes from or goes to: the call's root at first
  CallVerdict verdict_;
  VerdictCombiner verdict_combiner_;
  RouteRef agreement_route_;
  std::unique_ptr<OperationLinks> agreement_links_;
  std::optional<Executor> agreement_;
  RouteRef route_;
  std::unique_ptr<OperationLinks> links_;
  std::optional<Executor> executor_;
  // The result, until it is committed; none where it can go straight to the output.
  std::unique_ptr<std::byte[]> aside_;
};

}  // namespace detour
