#include "operations/slot_writing.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>

#include "collectives/streaming_copy.hpp"
#include "shm/memory_barriers.hpp"

namespace detour {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t line_bytes = 64;

// How often, and by how much, it is measured. So a 128th goes the worse way, which at worst is eight times as slow.
constexpr std::size_t bytes_per_measurement = std::size_t{1} << 20;
constexpr std::size_t measured_bytes_max = std::size_t{8} << 10;
// Not the first writes, for which memory has to be found.
constexpr std::uint64_t writes_before_measurements = 8;

// What it costs to read from memory what would have been in a cache: for the first lines, before the processor sees what is
// coming, and for each byte, which others want to read or write at the same time. On an AMD EPYC writing past the caches
// saves up to 0.1 ns a byte where cores share a cache, and calls take up to a third longer with it; where they share none it
// saves 0.35 to 0.5, and calls take half as long.
constexpr double reading_starts_ns = 300;
constexpr double reading_ns_per_byte = 0.15;

// More is saved only where the writer was interrupted.
constexpr double saving_ns_max = 1;

void copy_in(SlotWriting::Way way, std::byte* slot, const std::byte* from, std::size_t bytes) {
  if (bytes == 0) return;
  if (way == SlotWriting::Way::past_caches) {
    copy_past_caches(slot, from, bytes);
  } else {
    std::memcpy(slot, from, bytes);
  }
}

// So that writing is measured, and not reading.
void fetch_into_caches(const std::byte* from, std::size_t bytes) {
  std::byte all{};
  for (std::size_t at = 0; at < bytes; at += line_bytes) all |= from[at];
  // The compiler is not to leave that out.
  asm volatile("" : : "r"(all) : "memory");
}

// A number below the limit, another one each time, and in the long run all as often.
std::size_t scattered(std::uint64_t time, std::size_t limit) {
  constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15;
  return (time * golden_ratio >> 32) % limit;
}

// Until all of it is where others can see it: what waits to be written is as much as some slots hold.
double time_ns(SlotWriting::Way way, std::byte* slot, const std::byte* from, std::size_t bytes) {
  const auto start = Clock::now();
  copy_in(way, slot, from, bytes);
  full_barrier();
  const std::chrono::duration<double, std::nano> taken = Clock::now() - start;
  return taken.count();
}

}  // namespace

double SlotWriting::Savings::mean() const {
  const auto [smallest, largest] = std::minmax_element(latest_.begin(), latest_.end());
  const double all = std::accumulate(latest_.begin(), latest_.end(), 0.0);
  return (all - *smallest - *largest) / static_cast<double>(latest_.size() - 2);
}

bool SlotWriting::is_worth_it(std::size_t bytes) const {
  const auto count = static_cast<double>(bytes);
  return saving_ns_ * count > reading_starts_ns + reading_ns_per_byte * count;
}

void SlotWriting::note(double through_caches_ns, double past_caches_ns) {
  savings_.add(std::clamp(through_caches_ns - past_caches_ns, -saving_ns_max, saving_ns_max));
  if (savings_.are_known()) saving_ns_ = savings_.mean();
}

// As soon as it makes sense as often as can be.
bool SlotWriting::is_due() const {
  if (write_count_ < writes_before_measurements) return false;
  return !savings_.are_known() || bytes_since_measurement_ >= bytes_per_measurement;
}

void SlotWriting::copy_much(std::byte* slot, const std::byte* from, std::size_t bytes) {
  if (is_due()) {
    copy_and_measure(slot, from, bytes);
    bytes_since_measurement_ = 0;
  } else {
    copy_in(way(bytes), slot, from, bytes);
    bytes_since_measurement_ += bytes;
  }
  ++write_count_;
}

void SlotWriting::copy_and_measure(std::byte* slot, const std::byte* from, std::size_t bytes) {
  const Way chosen = way(bytes);
  const std::size_t wanted_bytes = std::min(measured_bytes_max, bytes / 2);
  const std::size_t half_bytes =
      wanted_bytes < line_bytes ? wanted_bytes : wanted_bytes / line_bytes * line_bytes;
  const std::size_t part_count = bytes / (2 * half_bytes);
  const std::size_t first = scattered(savings_.count(), part_count) * 2 * half_bytes;
  const std::size_t middle = first + half_bytes;
  const std::size_t end = middle + half_bytes;
  copy_in(chosen, slot, from, first);
  fetch_into_caches(from + first, 2 * half_bytes);
  const double through_ns = time_ns(Way::through_caches, slot + first, from + first, half_bytes);
  const double past_ns = time_ns(Way::past_caches, slot + middle, from + middle, half_bytes);
  copy_in(chosen, slot + end, from + end, bytes - end);
  const auto count = static_cast<double>(half_bytes);
  note(through_ns / count, past_ns / count);
}

}  // namespace detour
