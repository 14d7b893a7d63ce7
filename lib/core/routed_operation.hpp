// One collective call, carried out by messages along a plan's routes.
//
//   entered -> all agree -> data moves -> ended
//          \-> somebody has called something else, or has an error: ended, on all ranks alike
//
// A state machine that never blocks: a blocking call, or the helper thread for a nonblocking one,
// calls step() until it has ended.
#pragma once

#include <cstdint>
#include <optional>

#include "collectives/call.hpp"
#include "collectives/executor.hpp"
#include "core/operation_transport.hpp"
#include "core/route_book.hpp"
#include "core/ways.hpp"

namespace detour {

// Combines what ranks say of a call.
class VerdictCombiner final : public Combiner {
 public:
  std::size_t element_bytes() const override { return sizeof(CallVerdict); }
  void combine(std::byte* result, std::span<const std::byte* const> inputs,
               std::size_t element_count) const override;
};

class RoutedOperation {
 public:
  // What an operation runs on; all but the number has to live longer. `payload` may be none if the
  // call has an error or moves no data, `agreement` where there is a board.
  struct Means {
    const Ways& ways;
    RouteRef agreement;
    RouteRef payload;
    std::uint64_t number;  // of the operation in its communicator: never the same twice
  };

  // Enters the call at once. The call's buffers have to live longer.
  RoutedOperation(Means means, const Call& call);
  RoutedOperation(const RoutedOperation&) = delete;
  RoutedOperation& operator=(const RoutedOperation&) = delete;

  enum class Progress { ended, moved, stuck };

  // Does what can be done now.
  Progress step();
  // After the end: MPI_SUCCESS, or the class of the error.
  int error() const { return error_; }

  // Nothing more can be done before all have entered, which these counters tell. Only with a board.
  bool waits_on_board() const { return state_ == State::agreeing && means_.ways.board != nullptr; }

 private:
  enum class State { agreeing, moving, ended };

  void enter();
  bool is_cut_off() const;
  Progress take_step();
  Progress agree();
  Progress move();
  void begin_to_move();
  void end(int error);

  const Means means_;
  const Call& call_;
  State state_ = State::agreeing;
  int error_ = 0;
  CallVerdict verdict_;
  VerdictCombiner verdict_combiner_;
  std::optional<OperationTransport> agreement_transport_;
  std::optional<Executor> agreement_;
  std::optional<OperationTransport> payload_transport_;
  std::optional<Executor> payload_;
};

}  // namespace detour
