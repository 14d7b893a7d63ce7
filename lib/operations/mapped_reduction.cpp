#include "operations/mapped_reduction.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "collectives/streaming_copy.hpp"
#include "fault_points.hpp"
#include "protocol_switches.hpp"

namespace detour {

MappedReduction::MappedReduction(std::vector<Worker> workers, std::size_t position, Job job,
                                 const Combiner& combiner, SlotWriting& writing, const Bells* bells)
    : workers_(std::move(workers)),
      position_(position),
      job_(std::move(job)),
      combiner_(&combiner),
      writing_(&writing),
      bells_(bells),
      slices_(job_.inputs.size()) {
  for (const Worker& worker : workers_) {
    reduced_.push_back(&worker.block->reduced());
    copied_.push_back(&worker.block->copied());
  }
}

MappedReduction::Progress MappedReduction::step() {
  const Progress progress = advance();
  if (progress == Progress::broken) give_up();
  return progress;
}

// Copying comes first: what is copied is still in the cache, and its slots are wanted.
MappedReduction::Progress MappedReduction::advance() {
  if (copied_count_ == pieces().count()) return is_done() ? Progress::done : Progress::stuck;
  if (copied_count_ == all_reduced_count_) {
    if (look_at_reduced() == Progress::broken) return Progress::broken;
  }
  if (copied_count_ < all_reduced_count_) return copy_next();
  return may_reduce() ? reduce_next() : Progress::stuck;
}

// Whoever is sealed, and has not reduced the piece that is to be copied next, never will have.
MappedReduction::Progress MappedReduction::look_at_reduced() {
  std::size_t least = pieces().count();
  bool is_broken = false;
  for (const Counter* counter : reduced_) {
    // A seal is looked for first: what was raised before it counts.
    const bool sealed = counter->is_sealed();
    const std::size_t count = pieces().count_before(counter->load());
    is_broken |= sealed && count <= copied_count_;
    least = std::min(least, count);
  }
  all_reduced_count_ = protocol_switches.copy_too_early ? reduced_count_ : least;
  return is_broken ? Progress::broken : Progress::moved;
}

bool MappedReduction::may_reduce() const {
  return reduced_count_ < pieces().count() && have_all_copied(copied_number_to_reduce());
}

std::uint64_t MappedReduction::copied_number_to_reduce() const {
  constexpr std::size_t slot_count = 2;
  const bool has_slots_left = forms_outputs() || reduced_count_ < slot_count;
  if (has_slots_left) return protocol_switches.go_on_at_once ? 0 : pieces().number_after(0);
  return pieces().number_after(reduced_count_ + 1 - slot_count);
}

bool MappedReduction::have_all_copied(std::uint64_t number) const {
  return std::ranges::all_of(
      copied_, [number](const Counter* counter) { return counter->load() >= number; });
}

// The result is there, whoever dies: they are only waited for.
bool MappedReduction::is_done() {
  std::erase_if(copied_, [this](const Counter* counter) {
    return counter->is_sealed() || counter->load() >= pieces().end_number();
  });
  return copied_.empty();
}

WaitList MappedReduction::waits_for() const {
  if (copied_count_ == pieces().count()) return {copied_, pieces().end_number()};
  // Results for which this rank has done its part are the first to come.
  if (copied_count_ < reduced_count_) return {reduced_, pieces().number_after(copied_count_ + 1)};
  return {copied_, copied_number_to_reduce()};
}

MappedReduction::Progress MappedReduction::reduce_next() {
  DETOUR_FAULT_POINT("reducing");
  reduce_slice(pieces().piece(reduced_count_));
  DETOUR_FAULT_POINT("reduced");
  return raise(own().reduced(), ++reduced_count_);
}

MappedReduction::Progress MappedReduction::copy_next() {
  DETOUR_FAULT_POINT("copying");
  copy_slices(pieces().piece(copied_count_));
  DETOUR_FAULT_POINT("copied");
  return raise(own().copied(), ++copied_count_);
}

void MappedReduction::reduce_slice(const Piece& piece) {
  const Slice slice = pieces().slice(piece, position_, workers_.size());
  std::ranges::transform(job_.inputs, slices_.begin(), [&](const std::byte* input) {
    return input + piece.first_byte + slice.first_byte;
  });
  std::byte* const result = result_place(position_, piece, slice);
  const std::size_t element_count = slice.bytes / pieces().element_bytes();
  const bool passes_caches =
      forms_outputs() ? job_.streams : writing_->way(slice.bytes) == SlotWriting::Way::past_caches;
  if (passes_caches) {
    combiner_->combine_past_caches(result, slices_, element_count);
  } else {
    combiner_->combine(result, slices_, element_count);
  }
}

// Each rank starts with its own slice, so that not all read the same one at once.
void MappedReduction::copy_slices(const Piece& piece) {
  for (std::size_t step = forms_outputs() ? 1 : 0; step < workers_.size(); ++step) {
    const std::size_t position = (position_ + step) % workers_.size();
    const Slice slice = pieces().slice(piece, position, workers_.size());
    std::byte* const to = job_.output + piece.first_byte + slice.first_byte;
    const std::byte* const from = result_place(position, piece, slice);
    if (is_like_a_slot(step)) {
      writing_->copy(to, from, slice.bytes);
    } else if (job_.streams) {
      copy_past_caches(to, from, slice.bytes);
    } else {
      std::memcpy(to, from, slice.bytes);
    }
  }
}

// What is replaced was read by another rank before, but for one's own slice. If most of it is streamed anyhow, the first
// one is not: results in slots are written in the way that is measured by that.
bool MappedReduction::is_like_a_slot(std::size_t step) const {
  return job_.replaces_input && (job_.streams ? step == 1 : step > 0);
}

// Where a worker's slice of a piece is reduced to.
std::byte* MappedReduction::result_place(std::size_t position, const Piece& piece,
                                         const Slice& slice) const {
  const Worker& worker = workers_[position];
  return forms_outputs() ? worker.output + piece.first_byte + slice.first_byte
                         : worker.block->wide_result(worker.pipeline_offset, piece.number);
}

MappedReduction::Progress MappedReduction::raise(Counter& counter, std::size_t piece_count) const {
  if (!counter.raise_to(pieces().number_after(piece_count))) return Progress::fenced;
  if (bells_ != nullptr) bells_->ring();
  return Progress::moved;
}

// Those who have not noticed yet don't wait for this rank. They can't get further than it did: the dead are in their way.
// If a counter is sealed the next call will tell.
void MappedReduction::give_up() const {
  DETOUR_FAULT_POINT("giving-up");
  for (Counter* counter : {&own().reduced(), &own().copied()}) {
    counter->raise_to(pieces().end_number());
  }
  if (bells_ != nullptr) bells_->ring();
}

}  // namespace detour
