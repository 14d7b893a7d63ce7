// Which single route stands for a plan in a small picture.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "detour/routing/plan.hpp"

namespace detour::render {

struct DisplayedRoute {
  std::string title;
  std::string meaning;    // of its lines, for a legend
  CellId root = no_cell;  // none for a ring, which has no end
  std::vector<Hop> hops;
};

// The first ring of a plan that has one; otherwise the reduce tree of the flow with the largest
// share.
DisplayedRoute displayed_route(const Plan& plan);

// Flow `index` in the order of for_each_flow.
Flow flow_at(const Plan& plan, std::size_t index);

// Whether the broadcast takes the links of the reduction back.
bool returns_same_way(const Flow& flow);

// "12.5 %", of the payload.
std::string percentage(std::uint64_t share, std::uint64_t total);

}  // namespace detour::render
