// How an operation goes through data that lies where all members can read it, and on when one of them has died.
#include <utility>

#include "fault_points.hpp"
#include "operations/direct_operation.hpp"

namespace detour {

Operation::Progress DirectOperation::begin_mapped() {
  state_ = State::reducing_mapped;
  committed_bytes_ = 0;
  mapped_results_ = choose_mapped_results();
  mapped_inputs_.clear();
  for (const std::size_t rank : view_.ranks()) {
    const CallBoard& board = view_.board();
    mapped_inputs_.push_back(rank == view_.rank() ? call_->input
                                                  : board.members()[rank].heap() +
                                                        board.entry(rank).places.input_offset);
  }
  return go_on_mapped();
}

// With what is not committed yet, among those who are left.
Operation::Progress DirectOperation::go_on_mapped() {
  std::vector<MappedReduction::Worker> workers;
  std::size_t position = 0;
  for (const std::size_t rank : view_.workers()) {
    if (rank == view_.rank()) position = workers.size();
    const MemberBlock& block = view_.board().members()[rank];
    const MemberBlock::Places& places = view_.board().entry(rank).places;
    workers.push_back({.block = &block, .pipeline_offset = places.pipeline_offset});
    if (mapped_results_ == MappedReduction::Results::in_outputs) {
      workers.back().output = block.heap() + places.output_offset + committed_bytes_;
    }
  }
  MappedReduction::Job job{.pieces = mapped_pieces(),
                           .inputs = mapped_inputs_,
                           .output = result() + committed_bytes_,
                           .results = mapped_results_,
                           .replaces_input = replaces_input(),
                           .streams = streams_mapped()};
  for (const std::byte*& input : job.inputs) input += committed_bytes_;
  mapped_.emplace(std::move(workers), position, std::move(job), *call_->combiner, writing_,
                  rings_ ? &bells_ : nullptr);
  // Then what the entries said was of another call.
  return view_.is_given_up() ? leave(errors_.fenced()) : Progress::moved;
}

Operation::Progress DirectOperation::reduce_mapped() {
  const AttemptProgress progress = mapped_->step();
  if (progress == AttemptProgress::moved) return Progress::moved;
  if (progress == AttemptProgress::stuck) return Progress::stuck;
  const std::uint64_t end_number = mapped_->pieces().end_number();
  piece_count_ = end_number;
  if (progress == AttemptProgress::done) return deliver();
  if (progress == AttemptProgress::fenced) return leave(errors_.fenced());
  if (survives_ == Survives::no) {
    return end(errors_.members_lost(view_.lost(&MemberBlock::reduced, end_number)));
  }
  committed_bytes_ += mapped_->committed_bytes();
  view_.agree_on_the_dead(&MemberBlock::reduced, end_number, View::Out::of_the_work);
  if (!view_.has_worker(view_.rank())) return leave(errors_.fenced());
  if (is_root_lost()) return end_without_root();
  DETOUR_FAULT_POINT("attempting-anew");
  ++attempt_count_;
  view_.begin_again();
  return go_on_mapped();
}

}  // namespace detour
