// Where the ranks of a bare call wait for each other: each counts, in a line of its own, how often it has come.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/node_window.hpp"

namespace detour::tool {

class BareMeeting {
 public:
  // What it takes of every rank's part of the window, at the beginning, where the zeros still have to be.
  static constexpr std::size_t bytes = 4096;
  // The window has to be there as long as this is.
  explicit BareMeeting(const NodeWindow& window);

  void come();
  // Until this rank has come as often as the own one: then what it wrote before can be seen.
  void await(std::size_t rank) const;
  void come_and_await_all();

 private:
  std::uint64_t& count_of(std::size_t rank) const;

  const NodeWindow& window_;
  unsigned spin_count_ = 0;
  std::uint64_t own_count_ = 0;
};

}  // namespace detour::tool
