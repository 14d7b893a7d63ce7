#include "sim/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <utility>

namespace detour::sim {
namespace {

using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t end) {
  return random() % end;
}

bool chance(Random& random, std::uint64_t one_in) {
  return below(random, one_in) == 0;
}

template <class Item, std::size_t count>
Item any_of(Random& random, const std::array<Item, count>& items) {
  return items[below(random, count)];
}

CommunicatorPlan draw_communicator(Random& random, int process_count, bool is_world) {
  static const std::array<const char*, 8> policies{"",      "",      "ring",   "tree",
                                                   "trees", "combs", "ring2d", "auto"};
  CommunicatorPlan plan;
  plan.processes.resize(static_cast<std::size_t>(process_count));
  std::iota(plan.processes.begin(), plan.processes.end(), 0);
  if (!is_world) {
    std::shuffle(plan.processes.begin(), plan.processes.end(), random);
    plan.processes.resize(2 + below(random, static_cast<std::uint64_t>(process_count) - 1));
  }
  if (const std::string policy = any_of(random, policies); !policy.empty()) plan.policy = policy;
  const bool is_direct = !plan.policy || *plan.policy == "auto";
  if (!is_direct || chance(random, 3)) {
    plan.chunk_bytes = any_of(random, std::array<std::uint64_t, 3>{16, 48, 256});
  }
  plan.has_room_for_results = !chance(random, 3);
  plan.is_crowded = chance(random, 2);
  return plan;
}

CallPlan draw_call(Random& random, const std::vector<CommunicatorPlan>& communicators) {
  static constexpr std::array kinds{
      CallKind::allreduce, CallKind::allreduce, CallKind::nonblocking_allreduce,
      CallKind::reduce,    CallKind::broadcast, CallKind::broadcast,
      CallKind::barrier,   CallKind::allgather, CallKind::reduce_scatter};
  static constexpr std::array<std::uint64_t, 8> element_counts{0, 1, 2, 3, 5, 9, 14, 45};
  CallPlan plan;
  plan.communicator = below(random, communicators.size());
  const auto& communicator = communicators[plan.communicator];
  const std::uint64_t size = communicator.processes.size();
  plan.kind = any_of(random, kinds);
  plan.element_count = any_of(random, element_counts);
  plan.is_in_place = chance(random, 2);
  if (plan.kind == CallKind::barrier) plan.element_count = 0;
  if (plan.kind == CallKind::reduce || plan.kind == CallKind::broadcast) {
    plan.root = static_cast<Rank>(below(random, size));
  }
  if (plan.kind == CallKind::allgather || plan.kind == CallKind::reduce_scatter) {
    for (std::uint64_t rank = 0; rank < size; ++rank) {
      plan.block_counts.push_back(below(random, 5));
    }
    plan.element_count =
        std::accumulate(plan.block_counts.begin(), plan.block_counts.end(), std::uint64_t{0});
  }
  if (plan.kind == CallKind::allreduce) plan.is_commutative = !chance(random, 5);
  if (chance(random, 20)) plan.wrong_rank = static_cast<Rank>(below(random, size));
  if (chance(random, 12)) {
    plan.poor_rank = static_cast<Rank>(below(random, size));
    plan.poor_attempt = 1 + static_cast<int>(below(random, 2));
  }
  plan.is_mapped = chance(random, 3);
  if (chance(random, 4)) plan.unmapped_rank = static_cast<Rank>(below(random, size));
  return plan;
}

// Programs call the same again and again, and the library counts on it.
CallPlan like(const CallPlan& before, CallPlan plan) {
  plan.communicator = before.communicator;
  plan.kind = before.kind;
  plan.element_count = before.element_count;
  plan.block_counts = before.block_counts;
  plan.root = before.root;
  plan.is_commutative = before.is_commutative;
  plan.wrong_rank = before.wrong_rank;
  plan.poor_rank = before.poor_rank;
  plan.unmapped_rank = before.unmapped_rank;
  return plan;
}

// One process at least is left in peace. Neighbours in the ring in which processes watch each other often go together.
void draw_faults(Random& random, Scenario& scenario) {
  const auto process_count = static_cast<std::uint64_t>(scenario.process_count);
  std::vector<int> victims(process_count);
  std::iota(victims.begin(), victims.end(), 0);
  if (chance(random, 2)) {
    std::shuffle(victims.begin(), victims.end(), random);
  } else {
    std::rotate(victims.begin(),
                victims.begin() + static_cast<std::ptrdiff_t>(below(random, process_count)),
                victims.end());
  }
  const std::uint64_t step_count = 12 * process_count * scenario.calls.size();
  std::uint64_t kill_count = chance(random, 8) ? 0 : 1 + below(random, process_count - 1);
  if (kill_count > 2 && chance(random, 2)) kill_count = 2;
  if (chance(random, 4)) {
    scenario.pause = Pause{below(random, step_count), victims.back(), 1 + below(random, 60'000)};
    victims.pop_back();
    kill_count = std::min(kill_count, process_count - 2);
  }
  const bool all_at_once = chance(random, 3);
  const std::uint64_t first_step = below(random, step_count);
  for (std::uint64_t at = 0; at < kill_count; ++at) {
    const std::uint64_t step = all_at_once ? first_step : below(random, step_count);
    const bool inside = chance(random, 2);
    scenario.kills.push_back(
        {step, victims[at], inside ? 1 + static_cast<int>(below(random, 12)) : 0});
  }
  std::stable_sort(scenario.kills.begin(), scenario.kills.end(),
                   [](const Kill& a, const Kill& b) { return a.at_step < b.at_step; });
  if (chance(random, 4)) {
    scenario.withdrawal =
        Withdrawal{below(random, step_count), static_cast<int>(below(random, process_count))};
  }
}

}  // namespace

Scenario make_scenario(std::uint64_t seed) {
  Scenario scenario;
  scenario.seed = seed;
  Random calls(seed / variant_count + 1);
  scenario.process_count = any_of(calls, std::array{2, 3, 3, 4, 4, 5, 6, 8});
  std::uint64_t communicator_count = 1;
  if (chance(calls, 2)) ++communicator_count;
  if (chance(calls, 4)) ++communicator_count;
  for (std::uint64_t at = 0; at < communicator_count; ++at) {
    scenario.communicators.push_back(draw_communicator(calls, scenario.process_count, at == 0));
  }
  const std::uint64_t call_count = 2 + below(calls, 6);
  for (std::uint64_t at = 0; at < call_count; ++at) {
    CallPlan plan = draw_call(calls, scenario.communicators);
    const bool is_repeated = at > 0 && chance(calls, 3);
    scenario.calls.push_back(is_repeated ? like(scenario.calls.back(), std::move(plan)) : plan);
  }
  scenario.is_overlapping = chance(calls, 2);
  Random faults(seed * 2 + 1);
  scenario.message_delay_us_max = any_of(faults, std::array<std::uint64_t, 3>{0, 100, 2000});
  scenario.detection_delay_us_max = any_of(faults, std::array<std::uint64_t, 3>{50, 1000, 20'000});
  draw_faults(faults, scenario);
  return scenario;
}

std::string describe(const Scenario& scenario) {
  std::string text = fmt::format("seed {}: {} processes{}\n", scenario.seed, scenario.process_count,
                                 scenario.is_overlapping ? ", calls overlap" : "");
  for (std::size_t at = 0; at < scenario.communicators.size(); ++at) {
    const auto& plan = scenario.communicators[at];
    text += fmt::format("communicator {}: processes", at);
    for (const int process : plan.processes) text += fmt::format(" {}", process);
    text += fmt::format("; policy {}, chunks of {} bytes\n", plan.policy.value_or("unset"),
                        plan.chunk_bytes ? std::to_string(*plan.chunk_bytes) : "any");
  }
  for (std::size_t at = 0; at < scenario.calls.size(); ++at) {
    const auto& plan = scenario.calls[at];
    text += fmt::format(
        "call {}: communicator {}, kind {}, root {}, {} elements{}{}{}, unmapped {}, wrong {}, "
        "poor {}\n",
        at, plan.communicator, static_cast<std::uint32_t>(plan.kind), plan.root, plan.element_count,
        plan.is_in_place ? ", in place" : "", plan.is_mapped ? ", mapped" : "",
        plan.is_commutative ? "" : ", in order", plan.unmapped_rank, plan.wrong_rank,
        plan.poor_rank);
  }
  for (const Kill& kill : scenario.kills) {
    text +=
        fmt::format("kill {} at step {}, point {}\n", kill.process, kill.at_step, kill.point_count);
  }
  if (scenario.pause) {
    text += fmt::format("pause {} at step {} for {} us\n", scenario.pause->process,
                        scenario.pause->at_step, scenario.pause->us);
  }
  if (scenario.withdrawal) {
    text += fmt::format("{} withdraws at step {}\n", scenario.withdrawal->process,
                        scenario.withdrawal->at_step);
  }
  return text;
}

}  // namespace detour::sim
