// How many have come to an event, and from which cores: one word in shared memory, for those who have to share cores. Whoever
// comes adds itself, and learns whether it is the last one; whoever waits sees with one look whether anybody who needs this
// very core is still to come.
//
//   63        40 39     32 31     24 23     16 15      8 7       0
//    the event  | all     | 3       | 2       | 1       | group 0 of cores
//
// Only a hint. Whoever dies before it has come is missing for good, and so is who has no word here. Events follow each other:
// the first one to come to the next event writes over the word of the last one, and who comes to one that others have left
// changes nothing. In the long run their numbers repeat, and a word may not have been used for long. So only what is later by
// little is taken for later, which at worst leaves a few events without a count; and whoever waits must not rely on it that a
// word is right.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace detour {

class Arrivals {
 public:
  // More can't be counted.
  static constexpr std::size_t count_max = 255;

  class Tally {
   public:
    Tally() = default;
    explicit Tally(std::uint64_t word) : word_(word) {}

    std::size_t all() const { return byte(all_at); }
    // From this core, or from one of the same group.
    std::size_t from(int core) const { return byte(group_at(core)); }

   private:
    std::size_t byte(unsigned at) const { return word_ >> at & 0xff; }

    std::uint64_t word_ = 0;
  };

  // By each at most once. Whoever sees another's arrival in what comes back, or later, sees all that the other had written.
  Tally arrive(std::uint64_t event, int core) {
    const std::uint64_t one = (std::uint64_t{1} << all_at) + (std::uint64_t{1} << group_at(core));
    std::uint64_t seen = word_.load(std::memory_order_relaxed);
    for (;;) {
      if (is_later(seen, event)) return Tally{};
      const bool is_begun = is_of(seen, event) && Tally(seen).all() < count_max;
      const std::uint64_t next = (is_begun ? seen : value(event, 0)) + one;
      // Of two who each write something, arrive, and look at what the other has written, one at least sees it.
      if (word_.compare_exchange_weak(seen, next, std::memory_order_seq_cst)) return Tally(next);
    }
  }

  Tally tally(std::uint64_t event) const {
    const std::uint64_t seen = word_.load(std::memory_order_acquire);
    return is_of(seen, event) ? Tally(seen) : Tally{};
  }

  // For those who wait: the word has reached this value, and is above it by less than that span, when so many have come.
  const std::atomic<std::uint64_t>& word() const { return word_; }
  static std::uint64_t value(std::uint64_t event, std::size_t count) {
    return event << event_at | static_cast<std::uint64_t>(count) << all_at;
  }
  static std::uint64_t span(std::size_t count) { return value(1, 0) - value(0, count); }

 private:
  static constexpr unsigned group_count = 4;
  static constexpr unsigned all_at = 32;
  static constexpr unsigned event_at = 40;

  static unsigned group_at(int core) { return static_cast<unsigned>(core) % group_count * 8; }
  static bool is_of(std::uint64_t word, std::uint64_t event) {
    return (word ^ value(event, 0)) >> event_at == 0;
  }
  static bool is_later(std::uint64_t word, std::uint64_t event) {
    constexpr std::uint64_t little = 8;
    return word != 0 && !is_of(word, event) && word - value(event, 0) < value(little, 0);
  }

  std::atomic<std::uint64_t> word_{0};
};

}  // namespace detour
