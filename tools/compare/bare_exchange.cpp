#include "compare/bare_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "compare/bare_parts.hpp"

namespace detour::tool {
namespace {

// As Detour's: what lies in slots fits into a core's own cache.
constexpr std::size_t slot_bytes = std::size_t{256} << 10;
static_assert(slot_bytes >= BareExchange::whole_bytes_max);
constexpr std::size_t slots_per_kind = 2;

}  // namespace

std::unique_ptr<BareExchange> BareExchange::make(MPI_Comm comm) {
  auto window = NodeWindow::make(comm, BareMeeting::bytes + 2 * slots_per_kind * slot_bytes);
  if (!window) return nullptr;
  return std::unique_ptr<BareExchange>(new BareExchange(std::move(window)));
}

BareExchange::BareExchange(std::unique_ptr<NodeWindow> window)
    : window_(std::move(window)),
      meeting_(*window_),
      sum_(ReduceOp::sum, ElementType::float32),
      inputs_(window_->rank_count()) {}

void BareExchange::sum_in_slices(std::byte* output, const std::byte* input, std::size_t bytes,
                                 Past past) {
  for (std::size_t at = 0; at < bytes; at += slot_bytes) {
    const std::size_t piece_bytes = std::min(slot_bytes, bytes - at);
    ++piece_count_;
    stage(input + at, piece_bytes, past);
    meeting_.come_and_await_all();
    reduce(output + at, input + at, piece_bytes, past);
    meeting_.come_and_await_all();
    collect(output + at, piece_bytes, past);
  }
}

void BareExchange::sum_whole(std::byte* output, const std::byte* input, std::size_t bytes,
                             Past past) {
  ++piece_count_;
  copy(staging(window_->rank()), input, bytes, past == Past::slots_and_outputs);
  meeting_.come_and_await_all();
  for (std::size_t rank = 0; rank < inputs_.size(); ++rank) {
    inputs_[rank] = rank == window_->rank() ? input : staging(rank);
  }
  const std::size_t element_count = bytes / sum_.element_bytes();
  if (past == Past::nothing) {
    sum_.combine(output, inputs_, element_count);
  } else {
    sum_.combine_past_caches(output, inputs_, element_count);
  }
}

std::byte* BareExchange::staging(std::size_t rank) const {
  return window_->part(rank) + BareMeeting::bytes + piece_count_ % slots_per_kind * slot_bytes;
}

std::byte* BareExchange::result(std::size_t rank) const {
  return staging(rank) + slots_per_kind * slot_bytes;
}

void BareExchange::stage(const std::byte* input, std::size_t piece_bytes, Past past) const {
  const Slice own = slice_of(window_->rank(), window_->rank_count(), piece_bytes);
  const std::size_t after = own.first_byte + own.bytes;
  std::byte* const slot = staging(window_->rank());
  const bool past_caches = past == Past::slots_and_outputs;
  copy(slot, input, own.first_byte, past_caches);
  copy(slot + after, input + after, piece_bytes - after, past_caches);
}

void BareExchange::reduce(std::byte* output, const std::byte* input, std::size_t piece_bytes,
                          Past past) {
  const Slice own = slice_of(window_->rank(), window_->rank_count(), piece_bytes);
  for (std::size_t rank = 0; rank < inputs_.size(); ++rank) {
    inputs_[rank] = (rank == window_->rank() ? input : staging(rank)) + own.first_byte;
  }
  std::byte* const sum = result(window_->rank());
  std::byte* const copied_to = output + own.first_byte;
  const std::size_t element_count = own.bytes / sum_.element_bytes();
  switch (past) {
    case Past::nothing:
      sum_.combine(sum, inputs_, element_count);
      std::memcpy(copied_to, sum, own.bytes);
      return;
    case Past::outputs:
      sum_.combine_twofold(sum, copied_to, inputs_, element_count);
      return;
    case Past::slots_and_outputs:
      sum_.combine_twofold_past_caches(sum, copied_to, inputs_, element_count);
      return;
  }
}

void BareExchange::collect(std::byte* output, std::size_t piece_bytes, Past past) const {
  for (std::size_t step = 1; step < window_->rank_count(); ++step) {
    const std::size_t rank = (window_->rank() + step) % window_->rank_count();
    const Slice part = slice_of(rank, window_->rank_count(), piece_bytes);
    copy(output + part.first_byte, result(rank), part.bytes, past != Past::nothing);
  }
}

}  // namespace detour::tool
