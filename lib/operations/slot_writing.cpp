#include "operations/slot_writing.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "collectives/streaming_copy.hpp"

namespace detour {
namespace {

using Clock = std::chrono::steady_clock;

// How often a write is timed, and how often it is done the other way to see whether that would be better now. Where the
// other way is five times as slow, it costs 4 % of the time for writing.
constexpr std::uint64_t writes_per_measurement = 16;
constexpr std::uint64_t writes_per_trial = 128;

// Writing past the caches has to be so many times as fast. Where cores share a cache it is up to 3 times as fast, the more
// so the less it is, for the price of reading; where they don't, 4 to 15 times.
constexpr double worth_it = 3.5;

SlotWriting::Way other(SlotWriting::Way way) {
  return way == SlotWriting::Way::through_caches ? SlotWriting::Way::past_caches
                                                 : SlotWriting::Way::through_caches;
}

void copy_in(SlotWriting::Way way, std::byte* slot, const std::byte* from, std::size_t bytes) {
  if (way == SlotWriting::Way::past_caches) {
    copy_past_caches(slot, from, bytes);
  } else {
    std::memcpy(slot, from, bytes);
  }
}

}  // namespace

void SlotWriting::Cost::add(double ns_per_byte) {
  latest_[count_++ % latest_.size()] = ns_per_byte;
}

double SlotWriting::Cost::median() const {
  const auto [a, b, c] = latest_;
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

// In turns at first.
SlotWriting::Turn SlotWriting::take_turn(std::size_t bytes) {
  if (bytes < bytes_min_) return {};
  const std::uint64_t number = write_count_++;
  if (!all_are_known()) return {number % 2 == 0 ? preferred_ : other(preferred_), true};
  return {number % writes_per_trial == 0 ? other(preferred_) : preferred_,
          number % writes_per_measurement == 0};
}

void SlotWriting::note(Way way, double ns_per_byte) {
  cost(way).add(ns_per_byte);
  if (!all_are_known()) return;
  const bool is_worth_it =
      cost(Way::through_caches).median() > worth_it * cost(Way::past_caches).median();
  preferred_ = is_worth_it ? Way::past_caches : Way::through_caches;
}

void SlotWriting::copy_in_turn(std::byte* slot, const std::byte* from, std::size_t bytes) {
  const auto [way, is_measured] = take_turn(bytes);
  if (!is_measured) {
    copy_in(way, slot, from, bytes);
    return;
  }
  const auto start = Clock::now();
  copy_in(way, slot, from, bytes);
  const std::chrono::duration<double, std::nano> taken = Clock::now() - start;
  note(way, taken.count() / static_cast<double>(bytes));
}

}  // namespace detour
