// What somebody waits for.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "shm/arrivals.hpp"
#include "shm/counter.hpp"

namespace detour {

// Until all of these counters have reached the value, or one of them is sealed, there is nothing to do.
struct WaitList {
  using Sign = std::atomic<std::uint64_t>;

  std::span<const Counter* const> counters{};
  std::uint64_t value = 0;
  // None, or one for each: a number that reaches the value soon after its counter, if ever. The better one to look at,
  // because whoever raises the counter then finds it in its own cache.
  std::span<const Sign* const> signs{};
  // Once this has come so far there is something to do as well, and all else need not be looked at. It may never come.
  struct Shortcut {
    const Sign* sign = nullptr;
    std::uint64_t value = 0;
    // What is above the value by as much, or more, is something else.
    std::uint64_t span = std::uint64_t{1} << 63;

    bool is_there() const { return sign->load(std::memory_order_acquire) - value < span; }
  };
  Shortcut shortcut{};
  // Where those who are awaited say that they have come, if they do, and who came to the event before.
  struct Comers {
    const Arrivals* arrivals = nullptr;
    std::uint64_t event = 0;
    std::size_t count = 0;
    Arrivals::Tally last{};
  };
  Comers comers{};

  // Whether one of them has, as far as its sign tells if there are signs.
  bool is_there(std::size_t at) const {
    return signs.empty() ? counters[at]->load() >= value
                         : signs[at]->load(std::memory_order_acquire) >= value;
  }
  bool has_shortcut() const { return shortcut.sign != nullptr; }
};

}  // namespace detour
