// Cells with ranks in them, at random.
#pragma once

#include <random>
#include <utility>
#include <vector>

#include "collectives/rank_flow.hpp"

namespace detour::test {

// 1 to 3 ranks in every live cell, numbered in whatever order.
inline CellMap random_cells(const Topology& topology, std::mt19937& random) {
  std::vector<std::vector<Rank>> ranks(static_cast<std::size_t>(topology.mesh().cell_count()));
  std::vector<Rank*> places;
  for (const CellId cell : topology.live_cells()) {
    ranks[static_cast<std::size_t>(cell)].resize(1 + random() % 3);
  }
  for (auto& in_cell : ranks) {
    for (Rank& rank : in_cell) places.push_back(&rank);
  }
  // Not std::shuffle, which is another one in every library.
  for (std::size_t left = places.size(); left > 1; --left) {
    std::swap(places[left - 1], places[random() % left]);
  }
  Rank next = 0;
  for (Rank* const place : places) *place = next++;
  return CellMap(std::move(ranks));
}

}  // namespace detour::test
