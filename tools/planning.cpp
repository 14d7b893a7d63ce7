#include "planning.hpp"

#include <cmath>

#include "detour/routing/registry.hpp"
#include "exit_status.hpp"

namespace detour::tool {
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

std::optional<double> percentage_of_limit(const Bound& bound, double time) {
  if (time <= 0 || !std::isfinite(bound.time())) return std::nullopt;
  return 100 * bound.time() / time;
}

}  // namespace detour::tool
