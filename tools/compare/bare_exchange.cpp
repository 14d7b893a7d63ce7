#include "compare/bare_exchange.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "collectives/streaming_copy.hpp"
#include "placement/hardware_place.hpp"
#include "shm/pause_core.hpp"

namespace detour::tool {
namespace {

// As Detour's: what lies in slots fits into a core's own cache.
constexpr std::size_t slot_bytes = std::size_t{256} << 10;
static_assert(slot_bytes >= BareExchange::whole_bytes_max);
constexpr std::size_t slots_per_kind = 2;
constexpr std::size_t counts_bytes = 4096;
// Processors fetch cache lines in pairs.
constexpr std::size_t count_stride_bytes = 128;

void copy(std::byte* to, const std::byte* from, std::size_t bytes, bool past_caches) {
  if (past_caches) {
    copy_past_caches(to, from, bytes);
  } else {
    std::memcpy(to, from, bytes);
  }
}

}  // namespace

std::unique_ptr<BareExchange> BareExchange::make(MPI_Comm comm) {
  auto window = NodeWindow::make(comm, counts_bytes + 2 * slots_per_kind * slot_bytes);
  if (!window) return nullptr;
  return std::unique_ptr<BareExchange>(new BareExchange(std::move(window)));
}

// Where ranks share cores whoever is waited for may need this one.
BareExchange::BareExchange(std::unique_ptr<NodeWindow> window)
    : window_(std::move(window)),
      sum_(ReduceOp::sum, ElementType::float32),
      inputs_(window_->rank_count()) {
  const auto core_count = static_cast<std::size_t>(hardware_place().machine_core_count);
  if (window_->rank_count() <= core_count) spin_count_ = 1000;
}

void BareExchange::sum_in_slices(std::byte* output, const std::byte* input, std::size_t bytes,
                                 Past past) {
  for (std::size_t at = 0; at < bytes; at += slot_bytes) {
    const std::size_t piece_bytes = std::min(slot_bytes, bytes - at);
    ++piece_count_;
    stage(input + at, piece_bytes, past);
    tell_and_await(Done::staged);
    reduce(output + at, input + at, piece_bytes, past);
    tell_and_await(Done::reduced);
    collect(output + at, piece_bytes, past);
  }
}

void BareExchange::sum_whole(std::byte* output, const std::byte* input, std::size_t bytes,
                             Past past) {
  ++piece_count_;
  copy(staging(window_->rank()), input, bytes, past == Past::slots_and_outputs);
  tell_and_await(Done::staged);
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

BareExchange::Part BareExchange::slice(std::size_t rank, std::size_t piece_bytes) const {
  const std::size_t elements = piece_bytes / sum_.element_bytes();
  const std::size_t first = elements * rank / window_->rank_count();
  const std::size_t end = elements * (rank + 1) / window_->rank_count();
  return {first * sum_.element_bytes(), (end - first) * sum_.element_bytes()};
}

std::uint64_t& BareExchange::done_count(std::size_t rank, Done what) const {
  std::byte* const place =
      window_->part(rank) + static_cast<std::size_t>(what) * count_stride_bytes;
  return *reinterpret_cast<std::uint64_t*>(place);
}

// Release and acquire: who has seen a count sees what was written before it was raised.
void BareExchange::tell_and_await(Done what) const {
  std::atomic_ref(done_count(window_->rank(), what)).store(piece_count_, std::memory_order_release);
  for (std::size_t rank = 0; rank < window_->rank_count(); ++rank) {
    const std::atomic_ref count(done_count(rank, what));
    const auto is_there = [&] { return count.load(std::memory_order_acquire) >= piece_count_; };
    for (unsigned spins = 0; spins < spin_count_ && !is_there(); ++spins) pause_core();
    while (!is_there()) ::sched_yield();
  }
}

std::byte* BareExchange::staging(std::size_t rank) const {
  return window_->part(rank) + counts_bytes + piece_count_ % slots_per_kind * slot_bytes;
}

std::byte* BareExchange::result(std::size_t rank) const {
  return staging(rank) + slots_per_kind * slot_bytes;
}

void BareExchange::stage(const std::byte* input, std::size_t piece_bytes, Past past) const {
  const Part own = slice(window_->rank(), piece_bytes);
  const std::size_t after = own.first_byte + own.bytes;
  std::byte* const slot = staging(window_->rank());
  const bool past_caches = past == Past::slots_and_outputs;
  copy(slot, input, own.first_byte, past_caches);
  copy(slot + after, input + after, piece_bytes - after, past_caches);
}

void BareExchange::reduce(std::byte* output, const std::byte* input, std::size_t piece_bytes,
                          Past past) {
  const Part own = slice(window_->rank(), piece_bytes);
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
    const Part part = slice(rank, piece_bytes);
    copy(output + part.first_byte, result(rank), part.bytes, past != Past::nothing);
  }
}

}  // namespace detour::tool
