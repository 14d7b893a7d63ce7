#include "operations/direct_attempt.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "collectives/streaming_copy.hpp"
#include "fault_points.hpp"

namespace detour {

DirectAttempt::DirectAttempt(std::vector<Member> members, std::size_t position,
                             const Pieces& pieces, const Combiner& combiner, SlotWriting& writing,
                             const Bells* bells)
    : members_(std::move(members)),
      position_(position),
      pieces_(pieces),
      combiner_(&combiner),
      writing_(&writing),
      bells_(bells) {
  for (const Member& member : members_) {
    all_staged_.counters.push_back(&member.block->staged());
    all_reduced_.counters.push_back(&member.block->reduced());
  }
}

void DirectAttempt::begin(const std::byte* input, std::byte* output, const Mode& mode) {
  input_ = input;
  output_ = output;
  mode_ = mode;
  if (mode_.all_have_staged) staged_count_ = 1;
  all_staged_.piece_count = staged_count_;
}

DirectAttempt::Progress DirectAttempt::step() {
  const Progress progress = advance();
  if (progress == Progress::broken) give_up();
  return progress;
}

// Copying comes first: what is copied is still in the cache, and its slots are wanted. Then what the others wait for.
// What they need only later is for when there is nothing else to do.
DirectAttempt::Progress DirectAttempt::advance() {
  if (staged_count_ == 0) return stage_next();
  Progress progress = look_and_copy();
  if (progress == Progress::stuck) progress = look_and_reduce();
  if (progress == Progress::stuck && may_stage()) progress = stage_next();
  return progress;
}

DirectAttempt::Progress DirectAttempt::look_and_copy() {
  if (!may_copy() && all_reduced_.piece_count < reduced_count_) {
    if (look(all_reduced_) == Progress::broken) return Progress::broken;
  }
  return may_copy() ? copy_next() : Progress::stuck;
}

DirectAttempt::Progress DirectAttempt::look_and_reduce() {
  if (!may_reduce() && all_staged_.piece_count < staged_count_) {
    if (look(all_staged_) == Progress::broken) return Progress::broken;
  }
  return may_reduce() ? reduce_next() : Progress::stuck;
}

WaitList DirectAttempt::waits_for() const {
  // Results for which this rank has done its part are the first to come.
  return until_one_more(all_reduced_.piece_count < reduced_count_ ? all_reduced_ : all_staged_);
}

// Whoever has not done with the last piece, and is sealed, never will have: nobody can finish.
DirectAttempt::Progress DirectAttempt::look(Tally& tally) const {
  std::uint64_t least = pieces_.end_number();
  for (const Counter* counter : tally.counters) {
    // A seal is looked for first: what was raised before it counts.
    const bool sealed = counter->is_sealed();
    const std::uint64_t number = counter->load();
    if (sealed && number < pieces_.end_number()) return Progress::broken;
    least = std::min(least, number);
  }
  tally.piece_count = std::max(tally.piece_count, pieces_.count_before(least));
  return Progress::moved;
}

bool DirectAttempt::may_copy() const {
  return keeps_results() ? all_reduced_.piece_count == pieces_.count()
                         : copied_count_ < all_reduced_.piece_count;
}

bool DirectAttempt::may_stage() const {
  constexpr std::size_t slot_count = 2;
  const std::size_t done_count = keeps_results() ? all_reduced_.piece_count : copied_count_;
  return staged_count_ < std::min(pieces_.count(), done_count + slot_count);
}

DirectAttempt::Progress DirectAttempt::stage_next() {
  DETOUR_FAULT_POINT("staging");
  // The first one was staged before the others were known.
  if (staged_count_ > 0) stage(pieces_.piece(staged_count_), input_);
  return raise(own().block->staged(), ++staged_count_);
}

DirectAttempt::Progress DirectAttempt::reduce_next() {
  DETOUR_FAULT_POINT("reducing");
  reduce_slice(pieces_.piece(reduced_count_));
  DETOUR_FAULT_POINT("reduced");
  return raise(own().block->reduced(), ++reduced_count_);
}

DirectAttempt::Progress DirectAttempt::copy_next() {
  DETOUR_FAULT_POINT("copying");
  copy_slices(pieces_.piece(copied_count_));
  DETOUR_FAULT_POINT("copied");
  const Progress progress = raise(own().block->copied(), ++copied_count_);
  const bool is_done = copied_count_ == pieces_.count();
  return progress == Progress::moved && is_done ? Progress::done : progress;
}

DirectAttempt::Progress DirectAttempt::raise(Counter& counter, std::size_t piece_count) const {
  if (!counter.raise_to(pieces_.number_after(piece_count))) return Progress::fenced;
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
  std::byte* const slot = own().block->staging(own().places.pipeline_offset, piece.number);
  const std::byte* const from = input + piece.first_byte;
  const std::size_t after = kept.first_byte + kept.bytes;
  writing_->copy(slot, from, kept.first_byte);
  writing_->copy(slot + after, from + after, piece.bytes - after);
}

void DirectAttempt::reduce_slice(const Piece& piece) {
  const Slice slice = pieces_.slice(piece, position_, members_.size());
  inputs_.clear();
  for (const Member& member : members_) {
    inputs_.push_back(input_of(member, piece) + slice.first_byte);
  }
  std::byte* const result = result_place(position_, piece);
  std::byte* const output = output_ + piece.first_byte + slice.first_byte;
  const std::size_t element_count = slice.bytes / pieces_.element_bytes();
  const bool is_twofold = writes_own_slice_at_once();
  if (passes_caches(slice.bytes)) {
    is_twofold ? combiner_->combine_twofold_past_caches(result, output, inputs_, element_count)
               : combiner_->combine_past_caches(result, inputs_, element_count);
  } else {
    is_twofold ? combiner_->combine_twofold(result, output, inputs_, element_count)
               : combiner_->combine(result, inputs_, element_count);
  }
}

// What is copied only at the end will have left the caches by then, if it is much.
bool DirectAttempt::passes_caches(std::size_t bytes) const {
  const bool leaves_caches = keeps_results() && mode_.streams;
  return leaves_caches || writing_->way(bytes) == SlotWriting::Way::past_caches;
}

const std::byte* DirectAttempt::input_of(const Member& member, const Piece& piece) const {
  if (&member == &own()) return input_ + piece.first_byte;
  return member.block->staging(member.places.pipeline_offset, piece.number);
}

// Each rank starts with its own slice, so that not all read the same one at once.
void DirectAttempt::copy_slices(const Piece& piece) const {
  for (std::size_t step = writes_own_slice_at_once() ? 1 : 0; step < members_.size(); ++step) {
    const std::size_t position = (position_ + step) % members_.size();
    const Slice slice = pieces_.slice(piece, position, members_.size());
    std::byte* const to = output_ + piece.first_byte + slice.first_byte;
    const std::byte* const from = result_place(position, piece);
    if (mode_.streams) {
      copy_past_caches(to, from, slice.bytes);
    } else {
      std::memcpy(to, from, slice.bytes);
    }
  }
}

// Where the member's slice of a piece is reduced to.
std::byte* DirectAttempt::result_place(std::size_t position, const Piece& piece) const {
  const auto& [block, places] = members_[position];
  return keeps_results() ? block->heap() + places.results_offset +
                               piece.index * pieces_.slice_bytes_max(members_.size())
                         : block->result(places.pipeline_offset, piece.number);
}

}  // namespace detour
