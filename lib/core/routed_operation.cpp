#include "core/routed_operation.hpp"

#include <mpi.h>

#include <cstring>
#include <utility>

#include "core/verdict_text.hpp"
#include "core/waiting.hpp"
#include "mpi/process_failed.hpp"

namespace detour {

void VerdictCombiner::combine(std::byte* result, std::span<const std::byte* const> inputs,
                              std::size_t element_count) const {
  // Messages may lie anywhere.
  const auto load = [](const std::byte* from) {
    CallVerdict verdict;
    std::memcpy(&verdict, from, sizeof verdict);
    return verdict;
  };
  for (std::size_t at = 0; at < element_count; ++at) {
    const std::size_t offset = at * sizeof(CallVerdict);
    CallVerdict merged = load(inputs[0] + offset);
    for (const std::byte* input : inputs.subspan(1)) merged = merge(merged, load(input + offset));
    std::memcpy(result + offset, &merged, sizeof merged);
  }
}

RoutedOperation::RoutedOperation(Means means, const Call& call)
    : means_(std::move(means)), call_(call), verdict_{.header = call.header} {
  if (means_.payload && verdict_.header.error == MPI_SUCCESS) {
    payload_transport_.emplace(means_.ways, *means_.payload, 2 * means_.number + 1);
    verdict_.header.error = payload_transport_->error();
  }
  enter();
}

void RoutedOperation::enter() {
  if (means_.ways.board != nullptr) {
    if (!means_.ways.board->enter({.header = verdict_.header})) {
      end(process_failed_class());  // the others take this rank for dead
      return;
    }
    for (Counter* bell : means_.ways.bells) {
      if (bell != nullptr) bell->add_one();
    }
    return;
  }
  agreement_transport_.emplace(means_.ways, *means_.agreement, 2 * means_.number);
  auto* const memory = reinterpret_cast<std::byte*>(&verdict_);
  agreement_.emplace(means_.agreement->program, verdict_combiner_,
                     agreement_transport_->transport(), Buffers{memory, memory});
}

RoutedOperation::Progress RoutedOperation::step() {
  const Progress progress = take_step();
  // What goes to other nodes, the program's own messages too, moves on only while MPI is called. The
  // transport calls it to see what has come from there; this rank may be waiting for its neighbour alone.
  if (progress == Progress::stuck && means_.ways.far != nullptr) make_mpi_progress();
  return progress;
}

// Routes lead through all members: without one of them nothing gets to its end. Only a board goes on without.
bool RoutedOperation::is_cut_off() const {
  const bool is_on_the_way = state_ == State::moving || means_.ways.board == nullptr;
  return is_on_the_way && means_.ways.has_lost_members && means_.ways.has_lost_members();
}

RoutedOperation::Progress RoutedOperation::take_step() {
  bool moved = false;
  if (state_ != State::ended && is_cut_off()) end(process_failed_class());
  if (state_ == State::agreeing) {
    moved = agree() == Progress::moved;
    if (state_ == State::agreeing) return moved ? Progress::moved : Progress::stuck;
  }
  if (state_ == State::moving && move() == Progress::moved) moved = true;
  if (state_ == State::ended) return Progress::ended;
  return moved ? Progress::moved : Progress::stuck;
}

RoutedOperation::Progress RoutedOperation::agree() {
  CallBoard* const board = means_.ways.board;
  if (board != nullptr) {
    if (!board->all_have_entered()) return Progress::stuck;
    verdict_ = board->verdict();
    board->leave();
  } else {
    const auto progress = agreement_->step();
    if (const int error = agreement_transport_->error(); error != MPI_SUCCESS) {
      end(error);
      return Progress::moved;
    }
    if (progress != Executor::Progress::finished) {
      return progress == Executor::Progress::moved ? Progress::moved : Progress::stuck;
    }
  }
  begin_to_move();
  return Progress::moved;
}

RoutedOperation::Progress RoutedOperation::move() {
  const auto progress = payload_->step();
  if (progress == Executor::Progress::finished) {
    end(MPI_SUCCESS);
  } else if (const int error = payload_transport_->error(); error != MPI_SUCCESS) {
    end(error);
  }
  return progress == Executor::Progress::stuck ? Progress::stuck : Progress::moved;
}

void RoutedOperation::begin_to_move() {
  if (!verdict_.all_agree()) {
    end(explain(verdict_));
  } else if (!means_.payload) {
    end(MPI_SUCCESS);
  } else {
    payload_.emplace(means_.payload->program, *call_.combiner, payload_transport_->transport(),
                     Buffers{call_.input, call_.output, call_.output_first_byte});
    state_ = State::moving;
  }
}

void RoutedOperation::end(int error) {
  error_ = error;
  state_ = State::ended;
}

}  // namespace detour
