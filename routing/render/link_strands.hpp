// How much of each colour crosses each link: a link is drawn as a bundle of strands, one per
// colour.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "detour/routing/plan.hpp"
#include "flow_colours.hpp"

namespace detour::render {

// Loads are those of both directions together.
class LinkStrands {
 public:
  LinkStrands(const Topology& topology, const Plan& plan, const FlowColours& colours);

  // Of a mesh link.
  std::uint64_t load(CellId a, CellId b, std::size_t colour) const {
    return mesh_loads_[slot(a, b) + colour];
  }
  std::uint64_t load(CellId a, CellId b) const;
  // Hops that are no mesh links, the lower cell first.
  const std::map<Hop, std::uint64_t>& other_loads() const { return other_loads_; }
  // Of any link or other hop.
  std::uint64_t load_max() const;

 private:
  std::size_t slot(CellId a, CellId b) const;
  void add(Hop hop, std::size_t colour, std::uint64_t load);
  void add_cycle(const Cycle& cycle, std::size_t first_index, const FlowColours& colours);

  Mesh mesh_;
  std::size_t colour_count_;
  std::vector<std::uint64_t> mesh_loads_;
  std::map<Hop, std::uint64_t> other_loads_;
};

}  // namespace detour::render
