#include "node/direct_group.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace detour {

DirectGroup::DirectGroup(std::size_t rank, std::vector<MemberBlock> members,
                         const MemberBlockLayout& layout, Waiter waiter)
    : rank_(rank), members_(std::move(members)), layout_(layout), waiter_(std::move(waiter)) {
  for (const MemberBlock& member : members_) {
    entered_.push_back(&member.entered());
    staged_.push_back(&member.staged());
    reduced_.push_back(&member.reduced());
    copied_.push_back(&member.copied());
  }
}

// Waits for everybody, so that all compare the same headers and come to the same verdict.
CallResult DirectGroup::enter(const CallHeader& header) {
  const std::uint64_t call = call_count_++;
  own().header(call) = header;
  own().entered().raise_to(call + 1);
  if (waiter_.wait_for_all(entered_, call + 1) != WaitResult::reached) return CallResult::stopped;
  const bool all_agree =
      std::all_of(members_.begin(), members_.end(),
                  [&](const MemberBlock& member) { return member.header(call) == header; });
  return all_agree ? CallResult::done : CallResult::mismatch;
}

CallResult DirectGroup::barrier() {
  return enter({.kind = CallKind::barrier});
}

CallResult DirectGroup::allreduce(const CallHeader& header, FusedKernel kernel,
                                  std::size_t element_bytes, const std::byte* input,
                                  std::byte* output) {
  const std::size_t bytes = header.bytes;
  const bool small = bytes <= layout_.small_bytes;
  const std::uint64_t call = call_count_;
  if (small) {
    if (bytes > 0)
      std::memcpy(own().small(call), input, bytes);  // a null buffer is fine for nothing
  } else {
    // Everybody has reduced the piece that was in this slot: see reduce_in_pieces, which waits for
    // that before it ends.
    stage(piece_at(0, element_bytes, bytes), element_bytes, input);
  }
  if (const CallResult result = enter(header); result != CallResult::done) return result;
  if (!small) return reduce_in_pieces(kernel, element_bytes, input, output, bytes);
  if (bytes > 0) reduce_small(call, kernel, bytes / element_bytes, output);
  return CallResult::done;
}

void DirectGroup::reduce_small(std::uint64_t call, FusedKernel kernel, std::size_t count,
                               std::byte* output) {
  inputs_.clear();
  for (const MemberBlock& member : members_) inputs_.push_back(member.small(call));
  kernel(output, inputs_.data(), inputs_.size(), count);
}

CallResult DirectGroup::reduce_in_pieces(FusedKernel kernel, std::size_t element_bytes,
                                         const std::byte* input, std::byte* output,
                                         std::size_t bytes) {
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
    reduce_slice(piece, kernel, element_bytes, input);
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
  const Slice kept = slice_of(piece, rank_, element_bytes);
  std::byte* slot = own().staging(piece.number);
  const std::byte* from = input + piece.first_byte;
  const std::size_t after = kept.first_byte + kept.bytes;
  std::memcpy(slot, from, kept.first_byte);
  std::memcpy(slot + after, from + after, piece.bytes - after);
}

void DirectGroup::reduce_slice(const Piece& piece, FusedKernel kernel, std::size_t element_bytes,
                               const std::byte* input) {
  const Slice slice = slice_of(piece, rank_, element_bytes);
  inputs_.clear();
  for (std::size_t member = 0; member < members_.size(); ++member) {
    const std::byte* base =
        member == rank_ ? input + piece.first_byte : members_[member].staging(piece.number);
    inputs_.push_back(base + slice.first_byte);
  }
  kernel(own().result(piece.number), inputs_.data(), inputs_.size(), slice.bytes / element_bytes);
}

void DirectGroup::copy_slices(const Piece& piece, std::size_t element_bytes, std::byte* output) {
  // Each rank starts with its own slice, so that not all read the same one at once.
  for (std::size_t step = 0; step < members_.size(); ++step) {
    const std::size_t member = (rank_ + step) % members_.size();
    const Slice slice = slice_of(piece, member, element_bytes);
    std::memcpy(output + piece.first_byte + slice.first_byte, members_[member].result(piece.number),
                slice.bytes);
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
  const std::size_t first = elements * member / members_.size();
  const std::size_t end = elements * (member + 1) / members_.size();
  return {first * element_bytes, (end - first) * element_bytes};
}

}  // namespace detour
