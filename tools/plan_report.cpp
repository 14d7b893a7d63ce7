#include "plan_report.hpp"

#include <cmath>

#include "format.hpp"
#include "planning.hpp"

namespace detour::tool {
namespace {

// The message size left out: what bandwidth alone allows.
double large_message_time(const PlanFacts& facts) {
  Request request = facts.request;
  request.bytes.reset();
  return predicted_time(facts.shape, request);
}

std::string line(std::string_view name, const std::string& value) {
  std::string text(name);
  text.resize(12, ' ');
  return text + value + "\n";
}

std::string policy_text(const PlanFacts& facts) {
  if (facts.plan.policy == facts.asked_policy) return facts.plan.policy;
  return facts.plan.policy + ", chosen by " + std::string(facts.asked_policy);
}

std::string reported_policy_text(const PlanFacts& facts) {
  return policy_text(facts) + (facts.policy_from_environment ? " (from DETOUR_POLICY)" : "");
}

Limit limit_of(const PlanFacts& facts) {
  return tighter_limit(facts.bound, facts.topology, facts.request);
}

std::string link_limit_text(const Bound& bound) {
  if (!std::isfinite(bound.time())) {
    return "none: the mesh links leave " + std::to_string(bound.partition.size()) +
           " parts, joined by bridges";
  }
  if (bound.part_count_minus_one == 0) return "0";
  return (bound.exact ? "" : "at least ") + fixed(bound.time(), 4) + " M/B, proven by a cut into " +
         count(static_cast<std::int64_t>(bound.partition.size()), "part") + " with " +
         count(bound.link_count, "link") + " between them";
}

std::string limit_lines(const PlanFacts& facts) {
  const Limit limit = limit_of(facts);
  if (!limit.of_injection) return line("limit T*", link_limit_text(facts.bound));
  return line("limit", figure(limit.time, 4) +
                           " M/B, limit of injection: what has to enter and leave every cell") +
         line("", "T* of the links: " + link_limit_text(facts.bound));
}

}  // namespace

std::string report(const PlanFacts& facts) {
  std::string text = line("policy", reported_policy_text(facts));
  text += line("flows", std::to_string(flow_count(facts.plan)));
  text += line("depth", count(facts.shape.depth, "hop"));
  text += line("predicted", figure(large_message_time(facts), 4) +
                                " M/B (payload over link bandwidth) for large messages");
  if (facts.request.bytes) {
    text += line("", duration(predicted_us(facts.shape, facts.request)) + " for " +
                         size(*facts.request.bytes));
  }
  text += limit_lines(facts);
  return text + line("of limit",
                     percentage_of_limit(limit_of(facts), large_message_time(facts)).value_or("-"));
}

std::string caption(const PlanFacts& facts) {
  std::string text = "policy " + policy_text(facts) + " · predicted time " +
                     figure(large_message_time(facts), 3) + " M/B";
  const Limit limit = limit_of(facts);
  if (const auto percentage = percentage_of_limit(limit, large_message_time(facts))) {
    text += ", " + *percentage + " of the limit " + (limit.of_injection ? "of injection " : "") +
            figure(limit.time, 3);
  } else if (!std::isfinite(limit.time)) {
    text += ", no limit: the mesh is in parts";
  }
  return text + " · depth " + count(facts.shape.depth, "hop");
}

}  // namespace detour::tool
