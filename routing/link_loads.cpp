#include <algorithm>
#include <numeric>

#include "detour/routing/cost_model.hpp"

namespace detour {
namespace {

// Direction of a mesh link as seen from its start: up, left, right, down.
std::size_t direction(const Mesh& mesh, Hop hop) {
  // On a mesh of one column the steps up and left have the same size: ask for the rows first.
  if (hop.to == hop.from - mesh.cols()) return 0;
  if (hop.to == hop.from + mesh.cols()) return 3;
  return hop.to < hop.from ? 1 : 2;
}

}  // namespace

LinkLoads::LinkLoads(const Topology& topology, const Plan& plan)
    : mesh_(topology.mesh()), mesh_loads_(4 * static_cast<std::size_t>(mesh_.cell_count())) {
  for (const Flow& flow : plan.flows) {
    for (const Hop& hop : flow.reduce) add(hop, flow.share);
    for (const Hop& hop : flow.broadcast) add(hop, flow.share);
  }
  for (const Cycle& cycle : plan.cycles) {
    const auto total = std::accumulate(cycle.shares.begin(), cycle.shares.end(), std::uint64_t{0});
    const std::size_t count = cycle.order.size();
    for (std::size_t at = 0; at < count; ++at) {
      const std::size_t next = (at + 1) % count;
      // Every flow but two crosses this link twice: the one that ends here is not reduced over it,
      // and the one that ends in the next cell is not broadcast over it.
      add({cycle.order[at], cycle.order[next]}, 2 * total - cycle.shares[at] - cycle.shares[next]);
    }
    for (const Hop& tail : cycle.tails) {
      add(tail, total);
      add({tail.to, tail.from}, total);
    }
  }
}

void LinkLoads::add(Hop hop, std::uint64_t share) {
  if (mesh_.adjacent(hop.from, hop.to)) {
    mesh_loads_[4 * static_cast<std::size_t>(hop.from) + direction(mesh_, hop)] += share;
  } else {
    other_loads_[hop] += share;
  }
}

std::uint64_t LinkLoads::load(Hop hop) const {
  if (mesh_.adjacent(hop.from, hop.to)) {
    return mesh_loads_[4 * static_cast<std::size_t>(hop.from) + direction(mesh_, hop)];
  }
  const auto found = other_loads_.find(hop);
  return found == other_loads_.end() ? 0 : found->second;
}

void LinkLoads::for_each(const std::function<void(Hop, std::uint64_t)>& visit) const {
  for (CellId cell = 0; cell < mesh_.cell_count(); ++cell) {
    for (const CellId neighbour : mesh_.neighbours(cell)) {
      const Hop hop{cell, neighbour};
      if (const auto carried = load(hop)) visit(hop, carried);
    }
  }
  for (const auto& [hop, carried] : other_loads_) visit(hop, carried);
}

std::uint64_t LinkLoads::load_max() const {
  std::uint64_t largest = 0;
  for_each([&](Hop, std::uint64_t carried) { largest = std::max(largest, carried); });
  return largest;
}

std::uint64_t LinkLoads::cell_load_max() const {
  std::vector<std::uint64_t> in(static_cast<std::size_t>(mesh_.cell_count()));
  std::vector<std::uint64_t> out(in.size());
  for_each([&](Hop hop, std::uint64_t carried) {
    out[static_cast<std::size_t>(hop.from)] += carried;
    in[static_cast<std::size_t>(hop.to)] += carried;
  });
  return std::max(*std::max_element(in.begin(), in.end()),
                  *std::max_element(out.begin(), out.end()));
}

}  // namespace detour
