#include "node/direct_group.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace detour {

DirectGroup::DirectGroup(CallBoard& board, const MemberBlockLayout& layout, Waiter waiter)
    : board_(board),
      layout_(layout),
      waiter_(std::move(waiter)),
      pipelines_(board.members().size()) {
  for (const MemberBlock& member : members()) {
    staged_.push_back(&member.staged());
    reduced_.push_back(&member.reduced());
    copied_.push_back(&member.copied());
  }
}

bool DirectGroup::pipeline_is_idle() const {
  return std::all_of(copied_.begin(), copied_.end(),
                     [this](const Counter* counter) { return counter->load() >= piece_count_; });
}

// Waits for everybody, so that all compare the same headers and come to the same verdict.
CallResult DirectGroup::enter(const CallHeader& header) {
  board_.enter(header, pipeline_offset_);
  if (waiter_.wait_for_all(board_.entered(), board_.entered_value()) != WaitResult::reached) {
    return CallResult::stopped;
  }
  verdict_ = board_.verdict();
  return verdict_.all_agree() ? CallResult::done : CallResult::mismatch;
}

CallResult DirectGroup::meet(const CallHeader& header) {
  const CallResult result = enter(header);
  board_.leave();
  return result;
}

CallResult DirectGroup::allreduce(const CallHeader& header, const Combiner& combiner,
                                  const std::byte* input, std::byte* output) {
  const std::size_t bytes = header.bytes;
  const bool small = !needs_pipeline(bytes);
  if (!small) {
    // Everybody has reduced the piece that was in this slot: see reduce_in_pieces, which waits for
    // that before it ends.
    stage(piece_at(0, combiner.element_bytes(), bytes), combiner.element_bytes(), input);
  } else if (bytes > 0) {  // a null buffer is fine for nothing
    std::memcpy(own().small(board_.call_number()), input, bytes);
  }
  CallResult result = enter(header);
  if (result == CallResult::done && !small) {
    find_pipelines();
    result = reduce_in_pieces(combiner, input, output, bytes);
  } else if (result == CallResult::done && bytes > 0) {
    reduce_small(combiner, bytes / combiner.element_bytes(), output);
  }
  board_.leave();
  return result;
}

void DirectGroup::find_pipelines() {
  for (std::size_t member = 0; member < pipelines_.size(); ++member) {
    pipelines_[member] = board_.pipeline_offset(member);
  }
}

void DirectGroup::reduce_small(const Combiner& combiner, std::size_t count, std::byte* output) {
  inputs_.clear();
  for (const MemberBlock& member : members()) inputs_.push_back(member.small(board_.call_number()));
  combiner.combine(output, inputs_, count);
}

CallResult DirectGroup::reduce_in_pieces(const Combiner& combiner, const std::byte* input,
                                         std::byte* output, std::size_t bytes) {
  const std::size_t element_bytes = combiner.element_bytes();
  const auto wait = [this](const std::vector<const Counter*>& counters, std::uint64_t value) {
    return waiter_.wait_for_all(counters, value) == WaitResult::reached;
  };
  const std::size_t whole_piece = piece_at(0, element_bytes, bytes).bytes;
  const std::size_t count = (bytes + whole_piece - 1) / whole_piece;
  for (std::size_t index = 0; index < count; ++index) {
    const Piece piece = piece_at(index, element_bytes, bytes);
    const std::uint64_t done = piece.number + 1;
    if (index == 0) own().staged().raise_to(done);  // it was before anybody had entered
    if (index + 1 < count) {
      // Its slot is free: everybody has reduced piece number - 1, this rank waited for that.
      const Piece next = piece_at(index + 1, element_bytes, bytes);
      stage(next, element_bytes, input);
      own().staged().raise_to(next.number + 1);
    }
    if (index > 0 && !wait(staged_, done)) return CallResult::stopped;
    if (piece.number >= 2 && !wait(copied_, piece.number - 1)) return CallResult::stopped;
    reduce_slice(piece, combiner, input);
    own().reduced().raise_to(done);
    if (!wait(reduced_, done)) return CallResult::stopped;
    copy_slices(piece, element_bytes, output);
    own().copied().raise_to(done);
  }
  piece_count_ += count;
  return CallResult::done;
}

// Others read all of a piece but the slice that its owner reduces itself.
void DirectGroup::stage(const Piece& piece, std::size_t element_bytes, const std::byte* input) {
  const Slice kept = slice_of(piece, rank(), element_bytes);
  std::byte* slot = own().staging(pipeline_offset_, piece.number);
  const std::byte* from = input + piece.first_byte;
  const std::size_t after = kept.first_byte + kept.bytes;
  std::memcpy(slot, from, kept.first_byte);
  std::memcpy(slot + after, from + after, piece.bytes - after);
}

void DirectGroup::reduce_slice(const Piece& piece, const Combiner& combiner,
                               const std::byte* input) {
  const Slice slice = slice_of(piece, rank(), combiner.element_bytes());
  inputs_.clear();
  for (std::size_t member = 0; member < members().size(); ++member) {
    const std::byte* base = member == rank()
                                ? input + piece.first_byte
                                : members()[member].staging(pipelines_[member], piece.number);
    inputs_.push_back(base + slice.first_byte);
  }
  combiner.combine(own().result(pipeline_offset_, piece.number), inputs_,
                   slice.bytes / combiner.element_bytes());
}

void DirectGroup::copy_slices(const Piece& piece, std::size_t element_bytes, std::byte* output) {
  // Each rank starts with its own slice, so that not all read the same one at once.
  for (std::size_t step = 0; step < members().size(); ++step) {
    const std::size_t member = (rank() + step) % members().size();
    const Slice slice = slice_of(piece, member, element_bytes);
    std::memcpy(output + piece.first_byte + slice.first_byte,
                members()[member].result(pipelines_[member], piece.number), slice.bytes);
  }
}

DirectGroup::Piece DirectGroup::piece_at(std::size_t index, std::size_t element_bytes,
                                         std::size_t bytes) const {
  const std::size_t whole = layout_.piece_bytes / element_bytes * element_bytes;
  const std::size_t first = index * whole;
  return {piece_count_ + index, first, std::min(whole, bytes - first)};
}

DirectGroup::Slice DirectGroup::slice_of(const Piece& piece, std::size_t member,
                                         std::size_t element_bytes) const {
  const std::size_t elements = piece.bytes / element_bytes;
  const std::size_t first = elements * member / members().size();
  const std::size_t end = elements * (member + 1) / members().size();
  return {first * element_bytes, (end - first) * element_bytes};
}

}  // namespace detour
