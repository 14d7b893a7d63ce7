// Who has formed which part of a call's result, so that the ranks of a node share the work of a reduction that is not
// large: each takes the next part that nobody has taken, and reads what others have done. A small result is one part,
// which nobody takes: whoever finds all data there first forms it, and the others need not look at the data any more.
//
// Nobody waits for anybody here. A part that was taken and is not done yet is formed once more, by whoever needs it: all
// inputs are there for everybody. So it does not matter whether the one who took it is slow, dead or given up.
//
// Two are used in turns, in the block of the first member that is in the call. One of call q serves call q+2 when all have
// left call q (see call_board.hpp), but for a member that was given up and still runs. What that one can do: take parts
// that nobody misses, as the word on those that are taken is of a later call, or nobody has taken any; and write that it has done a part of call q, over
// somebody's word on call q+2. That is no word on call q+2, so the part is formed again. Results are written by each into
// its own slots, which nobody reads unless a word on the very call says so.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "protocol_switches.hpp"
#include "shm/arrivals.hpp"

namespace detour {

class alignas(128) WorkLedger {
 public:
  static constexpr std::size_t part_count_max = 14;

  // Who has come to a call, for those who share cores.
  Arrivals& arrivals() { return arrivals_; }
  const Arrivals& arrivals() const { return arrivals_; }

  // The next part that nobody has taken of a call's so many. None for whoever is late, and in a call that others have left.
  std::optional<std::size_t> take(std::uint64_t call, std::size_t part_count) {
    std::uint64_t seen = taken_.load(std::memory_order_relaxed);
    for (;;) {
      const std::size_t part = call_of(seen) == call_tag(call) ? number_of(seen) : 0;
      if (part == part_count || call_of(seen) > call_tag(call)) return std::nullopt;
      // Relaxed: that all inputs are there, who takes a part knows from elsewhere.
      if (taken_.compare_exchange_weak(seen, word(call, part + 1), std::memory_order_relaxed)) {
        return part;
      }
    }
  }

  // By the member whose slot the part is in now. Release: who reads of it can read the part.
  void set_done(std::uint64_t call, std::size_t part, std::size_t member) {
    done_[part].store(word(call, member), std::memory_order_release);
  }

  // In whose slot this part is.
  std::optional<std::size_t> done_by(std::uint64_t call, std::size_t part) const {
    const std::uint64_t seen = done_[part].load(std::memory_order_acquire);
    const bool is_right = call_of(seen) == call_tag(call) ||
                          (protocol_switches.believe_any_word && call_of(seen) != 0);
    return is_right ? std::optional(number_of(seen)) : std::nullopt;
  }

  // What done_by() looks at has reached this value once it has an answer: for those who wait.
  const std::atomic<std::uint64_t>& done_word(std::size_t part) const { return done_[part]; }
  static std::uint64_t done_value(std::uint64_t call) { return word(call, 0); }

 private:
  // Part or member below, the call above, counted from 1: there is no word on any call at first.
  static constexpr unsigned number_bits = 20;
  static std::uint64_t call_tag(std::uint64_t call) { return call + 1; }
  static std::uint64_t word(std::uint64_t call, std::size_t number) {
    return call_tag(call) << number_bits | number;
  }
  static std::uint64_t call_of(std::uint64_t word) { return word >> number_bits; }
  static std::size_t number_of(std::uint64_t word) {
    return word & ((std::uint64_t{1} << number_bits) - 1);
  }

  Arrivals arrivals_;
  std::atomic<std::uint64_t> taken_{0};
  std::array<std::atomic<std::uint64_t>, part_count_max> done_{};
};

static_assert(sizeof(WorkLedger) == 128);

}  // namespace detour
