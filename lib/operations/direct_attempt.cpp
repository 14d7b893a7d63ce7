#include "operations/direct_attempt.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "fault_points.hpp"

namespace detour {

DirectAttempt::DirectAttempt(std::vector<Member> members, std::size_t position,
                             const Pieces& pieces, const Combiner& combiner, const Bells* bells)
    : members_(std::move(members)),
      position_(position),
      pieces_(pieces),
      combiner_(&combiner),
      bells_(bells) {
  for (const Member& member : members_) {
    staged_.push_back(&member.block->staged());
    reduced_.push_back(&member.block->reduced());
  }
}

void DirectAttempt::begin(const std::byte* input, std::byte* output, Results results) {
  input_ = input;
  output_ = output;
  results_ = results;
}

DirectAttempt::Progress DirectAttempt::step() {
  Progress progress = Progress::stuck;
  switch (phase_) {
    case Phase::publish:
      progress = publish();
      break;
    case Phase::await_staged:
      progress = await(staged_, Phase::reduce);
      break;
    case Phase::reduce:
      progress = reduce();
      break;
    case Phase::await_reduced:
      progress = await(reduced_, Phase::copy);
      break;
    case Phase::copy:
    case Phase::copy_kept:
      progress = copy();
      break;
  }
  if (progress == Progress::broken) give_up();
  return progress;
}

WaitList DirectAttempt::waits_for() const {
  if (phase_ == Phase::await_staged) return {staged_, done_value()};
  if (phase_ == Phase::await_reduced) return {reduced_, done_value()};
  return {};
}

// The piece at hand, and the next one: its slot is free, because everybody has reduced the piece before this one, and
// this rank waited for that.
DirectAttempt::Progress DirectAttempt::publish() {
  if (published_count_ > index_ + 1 || published_count_ == pieces_.count()) {
    phase_ = Phase::await_staged;
    return Progress::moved;
  }
  DETOUR_FAULT_POINT("staging");
  const Piece next = pieces_.piece(published_count_);
  if (published_count_ > 0) stage(next, input_);
  ++published_count_;
  return raise(own().block->staged(), next.number + 1);
}

DirectAttempt::Progress DirectAttempt::await(const std::vector<const Counter*>& counters,
                                             Phase next) {
  bool all_there = true;
  for (const Counter* counter : counters) {
    // A seal is looked for first: what was raised before it counts.
    const bool sealed = counter->is_sealed();
    if (counter->load() >= done_value()) continue;
    if (sealed) return Progress::broken;
    all_there = false;
  }
  if (!all_there) return Progress::stuck;
  phase_ = next;
  return Progress::moved;
}

DirectAttempt::Progress DirectAttempt::reduce() {
  DETOUR_FAULT_POINT("reducing");
  reduce_slice(piece());
  DETOUR_FAULT_POINT("reduced");
  phase_ = Phase::await_reduced;
  return raise(own().block->reduced(), done_value());
}

DirectAttempt::Progress DirectAttempt::copy() {
  if (phase_ == Phase::copy && results_ == Results::kept) return next_piece();
  DETOUR_FAULT_POINT("copying");
  copy_slices(piece());
  DETOUR_FAULT_POINT("copied");
  const Progress progress = raise(own().block->copied(), done_value());
  return progress == Progress::moved ? next_piece() : progress;
}

// Kept results are copied when the last of them is there.
DirectAttempt::Progress DirectAttempt::next_piece() {
  ++index_;
  if (index_ < pieces_.count()) {
    if (phase_ == Phase::copy) phase_ = Phase::publish;
    return Progress::moved;
  }
  if (phase_ == Phase::copy_kept || results_ == Results::in_turns) return Progress::done;
  phase_ = Phase::copy_kept;
  index_ = 0;
  return Progress::moved;
}

DirectAttempt::Progress DirectAttempt::raise(Counter& counter, std::uint64_t value) const {
  if (!counter.raise_to(value)) return Progress::fenced;
  if (bells_ != nullptr) bells_->ring();
  return Progress::moved;
}

// If a counter is sealed the next call will tell.
void DirectAttempt::give_up() const {
  DETOUR_FAULT_POINT("giving-up");
  for (Counter* counter :
       {&own().block->staged(), &own().block->reduced(), &own().block->copied()}) {
    counter->raise_to(pieces_.end_number());
  }
  if (bells_ != nullptr) bells_->ring();
}

// Others read all of a piece but the slice that its owner reduces itself.
void DirectAttempt::stage(const Piece& piece, const std::byte* input) {
  const Slice kept = pieces_.slice(piece, position_, members_.size());
  std::byte* const slot = own().block->staging(own().pipeline_offset, piece.number);
  const std::byte* const from = input + piece.first_byte;
  const std::size_t after = kept.first_byte + kept.bytes;
  std::memcpy(slot, from, kept.first_byte);
  std::memcpy(slot + after, from + after, piece.bytes - after);
}

void DirectAttempt::reduce_slice(const Piece& piece) {
  const Slice slice = pieces_.slice(piece, position_, members_.size());
  inputs_.clear();
  for (const Member& member : members_) {
    const std::byte* const base = &member == &own()
                                      ? input_ + piece.first_byte
                                      : member.block->staging(member.pipeline_offset, piece.number);
    inputs_.push_back(base + slice.first_byte);
  }
  combiner_->combine(result_slot(own(), piece), inputs_, slice.bytes / pieces_.element_bytes());
}

// Each rank starts with its own slice, so that not all read the same one at once.
void DirectAttempt::copy_slices(const Piece& piece) const {
  for (std::size_t step = 0; step < members_.size(); ++step) {
    const std::size_t position = (position_ + step) % members_.size();
    const Slice slice = pieces_.slice(piece, position, members_.size());
    std::memcpy(output_ + piece.first_byte + slice.first_byte,
                result_slot(members_[position], piece), slice.bytes);
  }
}

std::byte* DirectAttempt::result_slot(const Member& member, const Piece& piece) const {
  if (results_ == Results::in_turns) {
    return member.block->result(member.pipeline_offset, piece.number);
  }
  return member.block->heap() + member.results_offset +
         piece.index * pieces_.slice_bytes_max(members_.size());
}

}  // namespace detour
