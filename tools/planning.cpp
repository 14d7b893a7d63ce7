#include "planning.hpp"

#include <cmath>
#include <vector>

#include "detour/routing/registry.hpp"
#include "exit_status.hpp"
#include "format.hpp"
#include "suggestion.hpp"

namespace detour::tool {

const Policy& find_policy(std::string_view name) {
  const PolicyRegistry& registry = PolicyRegistry::instance();
  if (const Policy* policy = registry.find(name)) return *policy;
  std::vector<std::string_view> names;
  for (const Policy* policy : registry.all()) names.push_back(policy->name());
  throw BadInput("unknown policy '" + std::string(name) + "'" + suggestion(name, names));
}

Plan make_plan(const Policy& policy, const Topology& topology, const Request& request) {
  auto outcome = policy.plan(topology, request);
  if (outcome.ok()) return std::move(outcome).value();
  if (outcome.failed()) throw Defect(outcome.reason());
  throw Refused("policy '" + std::string(policy.name()) + "' refused: " + outcome.reason());
}

Limit tighter_limit(const Bound& bound, const Topology& topology, const Request& request) {
  const double injection = injection_limit(topology, request);
  // A mesh in parts has no limit of links, since bridges join it, but cells have theirs.
  const bool links_say_nothing = !std::isfinite(bound.time());
  const bool of_injection = injection > 0 && (links_say_nothing || injection > bound.time());
  return {of_injection ? injection : bound.time(), bound.exact || links_say_nothing, of_injection};
}

std::optional<std::string> percentage_of_limit(const Limit& limit, double time) {
  if (time <= 0 || !std::isfinite(time) || !std::isfinite(limit.time)) return std::nullopt;
  return (limit.exact ? "" : "at least ") + fixed(100 * limit.time / time, 1) + " %";
}

}  // namespace detour::tool
