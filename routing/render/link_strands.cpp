#include "link_strands.hpp"

#include <algorithm>
#include <numeric>

namespace detour::render {

LinkStrands::LinkStrands(const Topology& topology, const Plan& plan, const FlowColours& colours)
    : mesh_(topology.mesh()),
      colour_count_(colours.count()),
      mesh_loads_(2 * static_cast<std::size_t>(mesh_.cell_count()) * colour_count_) {
  std::size_t index = 0;
  for (const Flow& flow : plan.flows) {
    const std::size_t colour = colours.group_of(index++);
    for (const Hop& hop : flow.reduce) add(hop, colour, flow.share);
    for (const Hop& hop : flow.broadcast) add(hop, colour, flow.share);
  }
  for (const Cycle& cycle : plan.cycles) {
    add_cycle(cycle, index, colours);
    index += cycle.order.size();
  }
}

std::uint64_t LinkStrands::load(CellId a, CellId b) const {
  const auto first = mesh_loads_.begin() + static_cast<std::ptrdiff_t>(slot(a, b));
  return std::accumulate(first, first + static_cast<std::ptrdiff_t>(colour_count_),
                         std::uint64_t{0});
}

std::uint64_t LinkStrands::load_max() const {
  std::uint64_t largest = 0;
  for (CellId cell = 0; cell < mesh_.cell_count(); ++cell) {
    for (const CellId neighbour : mesh_.neighbours(cell)) {
      if (neighbour > cell) largest = std::max(largest, load(cell, neighbour));
    }
  }
  for (const auto& [hop, load] : other_loads_) largest = std::max(largest, load);
  return largest;
}

// Two links belong to each cell: the one to its right, and the one below.
std::size_t LinkStrands::slot(CellId a, CellId b) const {
  const auto [low, high] = std::minmax(a, b);
  const bool below = high - low == mesh_.cols();
  return (2 * static_cast<std::size_t>(low) + (below ? 1 : 0)) * colour_count_;
}

void LinkStrands::add(Hop hop, std::size_t colour, std::uint64_t load) {
  if (mesh_.adjacent(hop.from, hop.to)) {
    mesh_loads_[slot(hop.from, hop.to) + colour] += load;
  } else {
    other_loads_[{std::min(hop.from, hop.to), std::max(hop.from, hop.to)}] += load;
  }
}

// Each flow takes every link of the ring twice, but for the two at its root, which it takes once:
// the way in is not reduced beyond the root, the way out ends before it.
void LinkStrands::add_cycle(const Cycle& cycle, std::size_t first_index,
                            const FlowColours& colours) {
  std::vector<std::uint64_t> twice(colour_count_);
  for (std::size_t at = 0; at < cycle.shares.size(); ++at) {
    twice[colours.group_of(first_index + at)] += 2 * std::uint64_t{cycle.shares[at]};
  }
  const std::size_t count = cycle.order.size();
  for (std::size_t at = 0; at < count; ++at) {
    const std::size_t next = (at + 1) % count;
    auto load = twice;
    load[colours.group_of(first_index + at)] -= cycle.shares[at];
    load[colours.group_of(first_index + next)] -= cycle.shares[next];
    for (std::size_t colour = 0; colour < colour_count_; ++colour) {
      if (load[colour] > 0) add({cycle.order[at], cycle.order[next]}, colour, load[colour]);
    }
  }
  for (const Hop& tail : cycle.tails) {
    for (std::size_t colour = 0; colour < colour_count_; ++colour) {
      if (twice[colour] > 0) add(tail, colour, twice[colour]);
    }
  }
}

}  // namespace detour::render
