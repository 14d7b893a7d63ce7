#include "compare/bare_mapped_sum.hpp"

#include <algorithm>
#include <utility>

#include "compare/bare_parts.hpp"

namespace detour::tool {

std::unique_ptr<BareMappedSum> BareMappedSum::make(MPI_Comm comm, const MappedPages& pages) {
  auto window = NodeWindow::make(comm, BareMeeting::bytes);
  if (!window) return nullptr;
  return std::unique_ptr<BareMappedSum>(new BareMappedSum(std::move(window), pages));
}

BareMappedSum::BareMappedSum(std::unique_ptr<NodeWindow> window, const MappedPages& pages)
    : window_(std::move(window)),
      pages_(pages),
      meeting_(*window_),
      combiner_(ReduceOp::sum, ElementType::float32),
      inputs_(window_->rank_count()),
      outputs_(window_->rank_count()),
      parts_of_inputs_(window_->rank_count()) {}

void BareMappedSum::sum(std::byte* output, const std::byte* input, std::size_t bytes,
                        std::size_t piece_bytes, Past past) {
  find_buffers(output, input);
  meeting_.come_and_await_all();
  for (std::size_t at = 0; at < bytes; at += piece_bytes) {
    const std::size_t own_bytes = std::min(piece_bytes, bytes - at);
    const Slice own = slice_of(window_->rank(), window_->rank_count(), own_bytes);
    reduce(output, at + own.first_byte, own.bytes, past);
    meeting_.come();
    collect(output, at, own_bytes, past);
  }
  meeting_.come_and_await_all();
}

void BareMappedSum::find_buffers(const std::byte* output, const std::byte* input) {
  for (std::size_t rank = 0; rank < inputs_.size(); ++rank) {
    inputs_[rank] = pages_.of_rank(rank, input);
    outputs_[rank] = pages_.of_rank(rank, output);
  }
}

// In place the result has to be the first input.
void BareMappedSum::reduce(std::byte* output, std::size_t first_byte, std::size_t bytes,
                           Past past) {
  for (std::size_t step = 0; step < inputs_.size(); ++step) {
    parts_of_inputs_[step] = inputs_[rank_at(step)] + first_byte;
  }
  const std::size_t element_count = bytes / combiner_.element_bytes();
  if (past == Past::sums_and_copies) {
    combiner_.combine_past_caches(output + first_byte, parts_of_inputs_, element_count);
  } else {
    combiner_.combine(output + first_byte, parts_of_inputs_, element_count);
  }
}

void BareMappedSum::collect(std::byte* output, std::size_t first_byte, std::size_t piece_bytes,
                            Past past) const {
  for (std::size_t step = 1; step < outputs_.size(); ++step) {
    const std::size_t rank = rank_at(step);
    meeting_.await(rank);
    const Slice slice = slice_of(rank, outputs_.size(), piece_bytes);
    const std::size_t at = first_byte + slice.first_byte;
    copy(output + at, outputs_[rank] + at, slice.bytes, past != Past::nothing);
  }
}

std::size_t BareMappedSum::rank_at(std::size_t step) const {
  return (window_->rank() + step) % window_->rank_count();
}

}  // namespace detour::tool
