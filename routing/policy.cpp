#include "detour/routing/policy.hpp"

#include <cmath>
#include <exception>
#include <new>
#include <optional>
#include <string>

#include "detour/routing/plan_check.hpp"

namespace detour {
namespace {

std::string describe_parts(const Topology& topology) {
  constexpr std::size_t listed_max = 8;  // of parts, and of cells in one part
  std::string text = "the live cells fall into " + std::to_string(topology.parts().size()) +
                     " parts and bridges are forbidden:";
  for (std::size_t part = 0; part < topology.parts().size(); ++part) {
    if (part == listed_max) {
      text += " and " + std::to_string(topology.parts().size() - listed_max) + " more parts";
      break;
    }
    const auto& cells = topology.parts()[part];
    text += " {";
    for (std::size_t at = 0; at < cells.size() && at < listed_max; ++at) {
      text += (at == 0 ? "" : " ") + to_string(topology.mesh().cell(cells[at]));
    }
    if (cells.size() > listed_max) {
      text += " and " + std::to_string(cells.size() - listed_max) + " more cells";
    }
    text += "}";
  }
  return text;
}

// The answer where no policy has anything to decide; nothing where there is something to decide.
template <class Value>
std::optional<Outcome<Value>> trivial_outcome(const Topology& topology) {
  if (topology.live_count() == 0) return Failure{"no cell is alive"};
  if (topology.live_count() == 1) return Value{};
  if (!topology.joinable()) return Refusal{describe_parts(topology)};
  return std::nullopt;
}

}  // namespace

Policy::~Policy() = default;

template <class Value, class Make>
Outcome<Value> Policy::guarded(Make make) const {
  const auto failure = [this](const char* cause) {
    return Failure{"policy '" + std::string(name()) + "' failed: " + cause};
  };
  try {
    return make();
  } catch (const std::bad_alloc&) {
    throw;  // is no answer: other ranks, which ask the same, may have the memory, and all must have the same plan
  } catch (const std::exception& error) {
    return failure(error.what());
  } catch (...) {  // plug-ins may throw anything
    return failure("it threw something that is no std::exception");
  }
}

Outcome<Quote> Policy::quote(const Topology& topology, const Request& request) const {
  if (auto trivial = trivial_outcome<Quote>(topology)) return *std::move(trivial);
  auto outcome = guarded<Quote>([&] { return make_quote(topology, request); });
  if (!outcome.ok() || std::isfinite(outcome.value().time)) return outcome;
  return Failure{"policy '" + std::string(name()) + "' failed: its quote is no number"};
}

Outcome<Plan> Policy::plan(const Topology& topology, const Request& request) const {
  auto trivial = trivial_outcome<Plan>(topology);
  auto outcome =
      trivial ? *std::move(trivial) : guarded<Plan>([&] { return make_plan(topology, request); });
  if (!outcome.ok()) return outcome;

  Plan plan = std::move(outcome).value();
  if (plan.policy.empty()) plan.policy = name();
  plan.total_share = share_sum(plan);
  mark_joins(topology, plan);
  if (const auto defect = find_defect(topology, plan)) {
    return Failure{"policy '" + std::string(name()) + "' made a wrong plan: " + *defect};
  }
  return plan;
}

Quote quote_of(const Shape& shape, const Request& request) {
  return {predicted_time(shape, request), shape.depth};
}

}  // namespace detour
