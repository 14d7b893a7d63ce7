// Which colour a flow is drawn in. Where there are more flows than colours, neighbours in the plan
// share one. Meshes too large for strands to be seen get few colours, so that files stay of a size
// that programs open.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "detour/routing/plan.hpp"

namespace detour::render {

class FlowColours {
 public:
  static constexpr std::size_t colour_count_max = 12;

  // A run of flows that share a colour.
  struct Group {
    std::size_t first = 0;
    std::size_t last = 0;
    std::uint64_t share = 0;
  };

  FlowColours(const Topology& topology, const Plan& plan);

  std::size_t count() const { return groups_.size(); }
  std::size_t flow_count() const { return flow_count_; }
  // Which group flow `index` (in the order of for_each_flow) belongs to.
  std::size_t group_of(std::size_t index) const { return index * count() / flow_count_; }
  const Group& group(std::size_t group) const { return groups_[group]; }
  // "#rrggbb". Few groups are spread over all hues.
  std::string_view colour(std::size_t group) const;

 private:
  std::size_t flow_count_;
  std::vector<Group> groups_;
};

}  // namespace detour::render
