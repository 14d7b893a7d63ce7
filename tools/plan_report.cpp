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

std::string limit_text(const PlanFacts& facts) {
  const Bound& bound = facts.bound;
  if (!std::isfinite(bound.time())) {
    return "none: the mesh links leave " + std::to_string(bound.partition.size()) +
           " parts, joined by bridges";
  }
  if (bound.part_count_minus_one == 0) return "0";
  const std::string proof = ", proven by a cut into " + std::to_string(bound.partition.size()) +
                            " parts with " + std::to_string(bound.link_count) +
                            (bound.link_count == 1 ? " link" : " links") + " between them";
  return (bound.exact ? "" : "at least ") + fixed(bound.time(), 4) + " M/B" + proof;
}

std::string percentage_text(const PlanFacts& facts) {
  const auto percentage = percentage_of_limit(facts.bound, large_message_time(facts));
  if (!percentage) return "-";
  return (facts.bound.exact ? "" : "at least ") + fixed(*percentage, 1) + " %";
}

}  // namespace

std::string report(const PlanFacts& facts) {
  std::string text = line("policy", policy_text(facts));
  text += line("flows", std::to_string(flow_count(facts.plan)));
  text += line("depth", std::to_string(facts.shape.depth) + " hops");
  text += line("predicted", fixed(large_message_time(facts), 4) +
                                " M/B (payload over link bandwidth) for large messages");
  if (facts.request.bytes) {
    text += line("", duration(predicted_us(facts.shape, facts.request)) + " for " +
                         size(*facts.request.bytes));
  }
  text += line("limit T*", limit_text(facts));
  return text + line("of limit", percentage_text(facts));
}

std::string caption(const PlanFacts& facts) {
  std::string text = "policy " + policy_text(facts) + " · predicted time " +
                     fixed(large_message_time(facts), 3) + " M/B";
  if (const auto percentage = percentage_of_limit(facts.bound, large_message_time(facts))) {
    text += ", " + std::string(facts.bound.exact ? "" : "at least ") + fixed(*percentage, 1) +
            " % of the limit " + fixed(facts.bound.time(), 3);
  }
  return text + " · depth " + std::to_string(facts.shape.depth) + " hops";
}

}  // namespace detour::tool
