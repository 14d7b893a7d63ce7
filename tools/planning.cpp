#include "planning.hpp"

#include <cmath>

#include "detour/routing/registry.hpp"
#include "exit_status.hpp"

namespace detour::tool {
namespace {

// Every partition of a complete graph into p parts has at least (p-1)(n-p/2) links between them, so
// single cells prove most: T* = 2/n.
Bound complete_limit(const Topology& topology) {
  Bound bound;
  const std::int64_t count = topology.live_count();
  for (const CellId cell : topology.live_cells()) bound.partition.push_back({cell});
  bound.part_count_minus_one = count - 1;
  bound.link_count = count * (count - 1) / 2;
  return bound;
}

}  // namespace

const Policy& find_policy(std::string_view name) {
  const PolicyRegistry& registry = PolicyRegistry::instance();
  if (const Policy* policy = registry.find(name)) return *policy;
  throw BadInput("unknown policy '" + std::string(name) + "'; did you mean '" +
                 registry.nearest_name(name) + "'?");
}

Plan make_plan(const Policy& policy, const Topology& topology, const Request& request) {
  auto outcome = policy.plan(topology, request);
  if (outcome.ok()) return std::move(outcome).value();
  if (outcome.failed()) throw Defect(outcome.reason());
  throw Refused("policy '" + std::string(policy.name()) + "' refused: " + outcome.reason());
}

Bound limit_of(const Topology& topology) {
  if (topology.live_count() == 1) return {};
  if (topology.connectivity() == Connectivity::complete) return complete_limit(topology);
  return limit(topology);
}

std::optional<double> percentage_of_limit(const Bound& bound, double time) {
  if (time <= 0 || !std::isfinite(bound.time())) return std::nullopt;
  return 100 * bound.time() / time;
}

}  // namespace detour::tool
