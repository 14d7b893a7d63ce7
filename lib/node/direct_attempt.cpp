#include "node/direct_attempt.hpp"

#include <cstring>

namespace detour {
namespace {

DirectAttempt::Result raise(Counter& counter, std::uint64_t value) {
  return counter.raise_to(value) ? DirectAttempt::Result::done : DirectAttempt::Result::fenced;
}

}  // namespace

DirectAttempt::DirectAttempt(std::vector<Member> members, std::size_t position,
                             const Pieces& pieces, const Combiner& combiner, const Waiter& waiter)
    : members_(std::move(members)),
      position_(position),
      pieces_(pieces),
      combiner_(combiner),
      waiter_(waiter) {
  for (const Member& member : members_) {
    staged_.push_back(&member.block->staged());
    reduced_.push_back(&member.block->reduced());
    copied_.push_back(&member.block->copied());
  }
}

DirectAttempt::Result DirectAttempt::run(const std::byte* input, std::byte* output,
                                         Results results) {
  results_ = results;
  Result result = raise(own().block->staged(), pieces_.piece(0).number + 1);
  for (std::size_t index = 0; index < pieces_.count() && result == Result::done; ++index) {
    if (index + 1 < pieces_.count()) {
      // Its slot is free: everybody has reduced the piece before this one, this rank waited for that.
      const Piece next = pieces_.piece(index + 1);
      stage(next, input);
      result = raise(own().block->staged(), next.number + 1);
    }
    if (result == Result::done) result = reduce_piece(pieces_.piece(index), input);
    if (result == Result::done && results_ == Results::in_turns) {
      result = copy_piece(pieces_.piece(index), output);
    }
  }
  for (std::size_t index = 0;
       results_ == Results::kept && result == Result::done && index < pieces_.count(); ++index) {
    result = copy_piece(pieces_.piece(index), output);
  }
  if (result == Result::broken) give_up();
  return result;
}

DirectAttempt::Result DirectAttempt::reduce_piece(const Piece& piece, const std::byte* input) {
  const std::uint64_t done = piece.number + 1;
  Result result = wait_for_all(staged_, done);
  if (result == Result::done && results_ == Results::in_turns && piece.index >= 2) {
    result = wait_for_living(copied_, done - 2);
  }
  if (result != Result::done) return result;
  reduce_slice(piece, input);
  result = raise(own().block->reduced(), done);
  return result == Result::done ? wait_for_all(reduced_, done) : result;
}

DirectAttempt::Result DirectAttempt::copy_piece(const Piece& piece, std::byte* output) {
  copy_slices(piece, output);
  return raise(own().block->copied(), piece.number + 1);
}

DirectAttempt::Result DirectAttempt::wait_for_all(const std::vector<const Counter*>& counters,
                                                  std::uint64_t value) const {
  const WaitResult result = waiter_.wait_for_all(counters, value);
  if (result == WaitResult::reached) return Result::done;
  return result == WaitResult::sealed ? Result::broken : Result::stopped;
}

// The dead read nothing any more.
DirectAttempt::Result DirectAttempt::wait_for_living(const std::vector<const Counter*>& counters,
                                                     std::uint64_t value) const {
  for (const Counter* counter : counters) {
    const WaitResult result = waiter_.wait_for(*counter, value);
    if (result != WaitResult::reached && result != WaitResult::sealed) return Result::stopped;
  }
  return Result::done;
}

// If a counter is sealed the next call will tell.
void DirectAttempt::give_up() const {
  for (Counter* counter :
       {&own().block->staged(), &own().block->reduced(), &own().block->copied()}) {
    counter->raise_to(pieces_.end_number());
  }
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

void DirectAttempt::reduce_slice(const Piece& piece, const std::byte* input) {
  const Slice slice = pieces_.slice(piece, position_, members_.size());
  inputs_.clear();
  for (const Member& member : members_) {
    const std::byte* const base = &member == &own()
                                      ? input + piece.first_byte
                                      : member.block->staging(member.pipeline_offset, piece.number);
    inputs_.push_back(base + slice.first_byte);
  }
  combiner_.combine(result_slot(own(), piece), inputs_, slice.bytes / pieces_.element_bytes());
}

// Each rank starts with its own slice, so that not all read the same one at once.
void DirectAttempt::copy_slices(const Piece& piece, std::byte* output) const {
  for (std::size_t step = 0; step < members_.size(); ++step) {
    const std::size_t position = (position_ + step) % members_.size();
    const Slice slice = pieces_.slice(piece, position, members_.size());
    std::memcpy(output + piece.first_byte + slice.first_byte,
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
