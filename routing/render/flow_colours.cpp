#include "flow_colours.hpp"

#include <algorithm>
#include <array>

namespace detour::render {
namespace {

// Once round the colour circle, of like lightness, so that many groups make a calm rainbow.
constexpr std::array<std::string_view, FlowColours::colour_count_max> palette{
    "#d64550", "#ec7a3c", "#f2b134", "#a8b545", "#58a55c", "#2f9e8f",
    "#35a7c9", "#3f7fd0", "#5a5fcb", "#8a57c4", "#b85bb0", "#e06c9f"};

// Orders in which few colours differ most: opposite hues first.
constexpr std::array<std::size_t, 4> first_choices{7, 1, 4, 10};

}  // namespace

FlowColours::FlowColours(const Topology& topology, const Plan& plan)
    : flow_count_(detour::flow_count(plan)) {
  constexpr std::size_t strand_count_max = 100'000;
  const auto link_count = 2 * static_cast<std::size_t>(topology.mesh().cell_count());
  const auto affordable =
      std::clamp(strand_count_max / link_count, std::size_t{1}, colour_count_max);
  groups_.resize(std::min(flow_count_, affordable));
  std::size_t index = 0;
  const auto note = [&](Share share) {
    Group& group = groups_[group_of(index)];
    if (group.share == 0) group.first = index;
    group.last = index;
    group.share += share;
    ++index;
  };
  for (const Flow& flow : plan.flows) note(flow.share);
  for (const Cycle& cycle : plan.cycles) {
    for (const Share share : cycle.shares) note(share);
  }
}

std::string_view FlowColours::colour(std::size_t group) const {
  if (count() <= first_choices.size()) return palette[first_choices[group]];
  return palette[group * palette.size() / count()];
}

}  // namespace detour::render
