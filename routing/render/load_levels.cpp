#include "load_levels.hpp"

#include <algorithm>

namespace detour::render {

LoadLevels::LoadLevels(const Topology& topology, const Plan& plan)
    : mesh_(topology.mesh()),
      loads_(topology, plan),
      load_max_(loads_.load_max()),
      total_share_(plan.total_share) {}

std::size_t LoadLevels::level(CellId a, CellId b) const {
  const std::uint64_t load = std::max(loads_.load({a, b}), loads_.load({b, a}));
  if (load == 0) return 0;
  return (load * level_count + load_max_ - 1) / load_max_;
}

std::size_t LoadLevels::level_of(CellId cell) const {
  std::size_t largest = 0;
  for (const CellId neighbour : mesh_.neighbours(cell)) {
    largest = std::max(largest, level(cell, neighbour));
  }
  return largest;
}

double LoadLevels::level_max(std::size_t level) const {
  if (total_share_ == 0) return 0;
  return static_cast<double>(level) / level_count * static_cast<double>(load_max_) /
         static_cast<double>(total_share_);
}

Ink ink_of_level(std::size_t level) {
  switch (level) {
    case 1:
      return Ink::light;
    case 2:
      return Ink::medium;
    case 3:
      return Ink::heavy;
    default:
      return Ink::plain;
  }
}

}  // namespace detour::render
