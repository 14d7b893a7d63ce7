#include "displayed_route.hpp"

#include <algorithm>
#include <cassert>
#include <cstdio>

namespace detour::render {
namespace {

DisplayedRoute ring_route(const Cycle& cycle) {
  DisplayedRoute route;
  const std::size_t count = cycle.order.size();
  route.title = "ring of " + std::to_string(count) + " cells";
  if (!cycle.tails.empty()) {
    route.title += ", " + std::to_string(cycle.tails.size()) +
                   (cycle.tails.size() == 1 ? " hangs on it" : " hang on it");
  }
  route.meaning = "every cell passes on to the next, all the way round";
  for (std::size_t at = 0; at < count; ++at) {
    route.hops.push_back({cycle.order[at], cycle.order[(at + 1) % count]});
  }
  route.hops.insert(route.hops.end(), cycle.tails.begin(), cycle.tails.end());
  return route;
}

}  // namespace

DisplayedRoute displayed_route(const Plan& plan) {
  if (!plan.cycles.empty()) return ring_route(plan.cycles.front());
  if (plan.flows.empty()) return {};
  const auto largest =
      std::max_element(plan.flows.begin(), plan.flows.end(),
                       [](const Flow& a, const Flow& b) { return a.share < b.share; });
  DisplayedRoute route;
  route.root = largest->root;
  route.hops = largest->reduce;
  route.meaning = "sums run to the root, the result ";
  route.meaning += returns_same_way(*largest) ? "back the same way" : "back another way";
  if (flow_count(plan) == 1) {
    route.title = "the one flow";
    return route;
  }
  route.title = returns_same_way(*largest) ? "flow " : "way in of flow ";
  route.title += std::to_string(largest - plan.flows.begin() + 1) + " of " +
                 std::to_string(plan.flows.size()) + ", " +
                 percentage(largest->share, plan.total_share) + " of the payload";
  return route;
}

Flow flow_at(const Plan& plan, std::size_t index) {
  if (index < plan.flows.size()) return plan.flows[index];
  index -= plan.flows.size();
  for (const Cycle& cycle : plan.cycles) {
    if (index < cycle.order.size()) return expand(cycle, index);
    index -= cycle.order.size();
  }
  assert(false && "there is no such flow");
  return {};
}

bool returns_same_way(const Flow& flow) {
  std::vector<Hop> in(flow.reduce);
  std::vector<Hop> out;
  for (const Hop& hop : flow.broadcast) out.push_back({hop.to, hop.from});
  std::sort(in.begin(), in.end());
  std::sort(out.begin(), out.end());
  return in == out;
}

std::string percentage(std::uint64_t share, std::uint64_t total) {
  const double percent = 100 * static_cast<double>(share) / static_cast<double>(total);
  char text[32];
  std::snprintf(text, sizeof text, percent < 1 ? "%.2f %%" : "%.1f %%", percent);
  return text;
}

}  // namespace detour::render
