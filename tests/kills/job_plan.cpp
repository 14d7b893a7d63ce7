#include "job_plan.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <random>

#include "fault_points.hpp"
#include "name_list.hpp"
#include "rank_file.hpp"

namespace detour::kills {
namespace {

constexpr std::array<std::string_view, 10> mode_names{
    "spread", "burst",       "down_to_one", "early",  "finalize",
    "pause",  "nonblocking", "planning",    "points", "starting"};
constexpr std::array<const char*, 5> policies{"ring", "trees", "combs", "ring2d", "auto"};

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_at_the_start(std::string_view point) {
  return is_one_of(point, {"init-ended", "binding", "bound"});
}

bool is_passed_once(std::string_view point) {
  return is_one_of(point, {"init-ended", "finalize-began", "leaving-mpi"});
}

bool is_after_deaths(std::string_view point) {
  return is_one_of(point, {"giving-up", "attempting-anew", "regrouping", "joining", "reporting",
                           "deciding", "proposed", "decided"});
}

bool is_in_every_call(std::string_view point) {
  return is_one_of(point, {"call-began", "entering", "entered"});
}

class PlanDraw {
 public:
  PlanDraw(Mode mode, std::uint64_t seed, const PlanOptions& options) : random_(seed) {
    plan_.seed = seed;
    plan_.mode = mode;
    plan_.kinds = options.kinds;
    plan_.uses_interface = options.program.empty() ? below(2) == 0 : options.program == "api";
    plan_.rank_count =
        options.rank_count > 0 ? options.rank_count : std::min(draw_rank_count(), rank_count_max);
    plan_.step_count = static_cast<std::uint32_t>(40 + below(40));
    // With little memory other ways are taken: results have no room until all of them are there.
    if (below(4) == 0) plan_.environment.emplace_back("DETOUR_MEMORY_BYTES=4M");
    shuffle_ranks();
  }

  JobPlan draw() {
    add_mode();
    std::stable_sort(plan_.events.begin(), plan_.events.end(), [](const Event& a, const Event& b) {
      return std::pair(a.trigger, a.step) < std::pair(b.trigger, b.step);
    });
    return std::move(plan_);
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }
  std::uint32_t any_step() { return static_cast<std::uint32_t>(below(plan_.step_count)); }
  // Most operations take less than this; some much longer.
  unsigned any_delay() { return static_cast<unsigned>(below(below(4) == 0 ? 5000 : 300)); }

  // Small ones are quick, large ones have more to kill.
  int draw_rank_count() {
    constexpr std::array counts{2, 3, 4, 5, 6, 7, 8, 8, 8, 12, 16};
    return counts[below(counts.size())];
  }

  void shuffle_ranks() {
    for (int rank = 0; rank < plan_.rank_count; ++rank) ranks_.push_back(rank);
    for (std::size_t at = ranks_.size() - 1; at > 0; --at) {
      std::swap(ranks_[at], ranks_[below(at + 1)]);
    }
  }

  int next_victim() {
    const int rank = ranks_.back();
    ranks_.pop_back();
    return rank;
  }

  // At least one, and one is left; more rather than less, because starting a job takes longer than a kill.
  std::size_t victim_count() {
    const std::size_t most = ranks_.size() - 1;
    return std::max(1 + below(most), 1 + below(most));
  }

  void kill_one_by_one(std::size_t count) {
    for (; count > 0; --count) {
      plan_.events.push_back({Trigger::step, any_step(), any_delay(), {next_victim()}});
    }
  }

  void kill_at_once(Trigger trigger, std::uint32_t step, std::size_t count) {
    Event event{trigger, step, any_delay(), {}};
    for (; count > 0; --count) event.targets.push_back(next_victim());
    plan_.events.push_back(event);
  }

  void add_burst() {
    std::size_t left = victim_count();
    while (left > 0) {
      const std::size_t count = std::min(left, 1 + below(left));
      kill_at_once(Trigger::step, any_step(), count);
      left -= count;
    }
  }

  void add_finalize() {
    const std::size_t count = victim_count();
    for (std::size_t at = 0; at < count; ++at) kill_at_once(Trigger::finalizing, 0, 1);
  }

  void add_pauses() {
    const std::size_t count = ranks_.size() > 2 ? below(ranks_.size() - 1) : 0;
    kill_one_by_one(count);
    for (std::size_t at = 1 + below(4); at > 0; --at) {
      Event event{Trigger::step, any_step(), any_delay(), {ranks_[below(ranks_.size())]}};
      event.pause_ms = static_cast<unsigned>(20 + below(150));
      plan_.events.push_back(event);
    }
  }

  void choose_policy() {
    plan_.environment.push_back(std::string("DETOUR_POLICY=") + policies[below(policies.size())]);
  }

  // A mesh that is given is one for all ranks: halves have none then.
  void add_planning() {
    choose_policy();
    if (below(2) == 0) {
      plan_.teams = {Team::world, Team::twin};
      plan_.environment.push_back("DETOUR_MESH=" + any_mesh());
    }
    kill_one_by_one(victim_count());
  }

  std::string any_mesh() {
    int rows = 1 + static_cast<int>(below(4));
    while (plan_.rank_count % rows != 0) --rows;
    return std::to_string(rows) + "x" + std::to_string(plan_.rank_count / rows);
  }

  // Each job has the next points, so that jobs with consecutive seeds have them all. One dies in the middle of an
  // operation, so that the others come to where they get over it.
  void add_points(const std::vector<std::string>& points) {
    constexpr std::array<const char*, 4> midway{"staging", "reducing", "moving", "arriving"};
    const std::size_t count = ranks_.size() - 1;
    for (std::size_t at = 0; at < count; ++at) {
      const bool is_first_of_many = at == 0 && count > 1 && plan_.mode == Mode::points;
      const std::string point = is_first_of_many ? midway[below(midway.size())]
                                                 : points[(plan_.seed * 5 + at) % points.size()];
      plan_.faults.push_back({point, next_victim(), passing_of(point)});
    }
  }

  // Some are passed once by each process, some only after a death, a few in every operation.
  unsigned passing_of(const std::string& point) {
    if (is_passed_once(point) || is_after_deaths(point)) return 1;
    // The first communicator is made in MPI_Init, which can't go on without anybody.
    if (is_at_the_start(point)) return 2 + static_cast<unsigned>(below(2));
    return 1 + static_cast<unsigned>(below(is_in_every_call(point) ? plan_.step_count : 6));
  }

  void add_mode() {
    switch (plan_.mode) {
      case Mode::spread:
        return kill_one_by_one(victim_count());
      case Mode::burst:
        return add_burst();
      case Mode::down_to_one:
        return kill_one_by_one(ranks_.size() - 1);
      case Mode::early:
        plan_.step_count /= 2;
        return kill_at_once(Trigger::gate, 0, victim_count());
      case Mode::finalize:
        plan_.step_count /= 4;
        return add_finalize();
      case Mode::pause:
        return add_pauses();
      case Mode::nonblocking:
        keep_only_pending();
        return kill_one_by_one(victim_count());
      case Mode::planning:
        return add_planning();
      case Mode::points:
        if (below(3) == 0) choose_policy();
        return add_points(points_of(Mode::points));
      case Mode::starting:
        // What the library has not met before somebody died in it has an error.
        if (plan_.uses_interface) plan_.teams = {Team::world};
        plan_.step_count /= 4;
        return add_points(points_of(Mode::starting));
    }
  }

  void keep_only_pending() {
    if (std::find(plan_.kinds.begin(), plan_.kinds.end(), Kind::iallreduce) == plan_.kinds.end()) {
      return;
    }
    plan_.kinds = {Kind::iallreduce, Kind::iallreduce, Kind::iallreduce, Kind::allreduce};
  }

  std::mt19937_64 random_;
  JobPlan plan_;
  std::vector<int> ranks_;  // in the order of their deaths, from the back
};

std::string list_text(const std::vector<int>& ranks) {
  std::string text;
  for (const int rank : ranks) text += (text.empty() ? "" : "+") + std::to_string(rank);
  return text;
}

std::string text_of(const Event& event) {
  std::string text = event.pause_ms > 0 ? "pause " : "kill ";
  text += list_text(event.targets);
  if (event.trigger == Trigger::gate) text += " before the first step";
  if (event.trigger == Trigger::finalizing) text += " in MPI_Finalize";
  if (event.trigger == Trigger::step) text += " at step " + std::to_string(event.step);
  text += " + " + std::to_string(event.delay_us) + " us";
  if (event.pause_ms > 0) text += " for " + std::to_string(event.pause_ms) + " ms";
  return text;
}

}  // namespace

std::vector<int> JobPlan::doomed() const {
  std::vector<int> ranks;
  for (const Event& event : events) {
    if (event.pause_ms == 0) ranks.insert(ranks.end(), event.targets.begin(), event.targets.end());
  }
  for (const FaultPlace& fault : faults) ranks.push_back(fault.rank);
  return ranks;
}

JobPlan draw_plan(Mode mode, std::uint64_t seed, const PlanOptions& options) {
  return PlanDraw(mode, seed, options).draw();
}

std::string text_of(const JobPlan& plan) {
  std::string text = mode_name(plan.mode) + ", seed " + std::to_string(plan.seed) + ": " +
                     std::to_string(plan.rank_count) + " ranks, " +
                     (plan.uses_interface ? "api" : "mpi") + ", " +
                     std::to_string(plan.step_count) + " steps";
  for (const std::string& setting : plan.environment) text += ", " + setting;
  for (const Event& event : plan.events) text += ", " + text_of(event);
  for (const FaultPlace& fault : plan.faults) {
    text += ", " + std::to_string(fault.rank) + " dies at " + fault.point + " " +
            std::to_string(fault.passing);
  }
  return text;
}

std::vector<Mode> parse_modes(std::string_view text) {
  return parse_names<Mode>(text, mode_names, "mode");
}

std::vector<std::string> points_of(Mode mode) {
  std::vector<std::string> points;
  if (mode != Mode::points && mode != Mode::starting) return points;
  for (const std::string_view name : fault_point_names) {
    if (is_at_the_start(name) == (mode == Mode::starting)) points.emplace_back(name);
  }
  return points;
}

std::string mode_name(Mode mode) {
  return std::string(mode_names[static_cast<std::size_t>(mode)]);
}

}  // namespace detour::kills
