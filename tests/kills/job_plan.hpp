// What happens in a job: all of it drawn from a seed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "script.hpp"

namespace detour::kills {

enum class Mode {
  spread,       // one after the other, at any time
  burst,        // several at once
  down_to_one,  // all but one
  early,        // between MPI_Init and the first operation
  finalize,     // in MPI_Finalize
  pause,        // stopped for a while, which is no death; others are killed meanwhile
  nonblocking,  // while nonblocking operations are pending
  planning,     // on a mesh, with a policy that has to make new plans
  points,       // at named points of the library, in a build that has them
  starting,     // at those of them that are passed before the first operation
};

enum class Trigger { gate, step, finalizing };

struct Event {
  Trigger trigger = Trigger::step;
  std::uint32_t step = 0;  // when the first rank begins it
  unsigned delay_us = 0;
  std::vector<int> targets;
  unsigned pause_ms = 0;  // 0: they are killed
};

struct FaultPlace {
  std::string point;
  int rank;
  unsigned passing;
};

struct JobPlan {
  std::uint64_t seed = 1;
  Mode mode = Mode::spread;
  bool uses_interface = false;  // of the library; otherwise MPI's under the preloaded one
  int rank_count = 2;
  std::uint32_t step_count = 60;
  std::vector<Kind> kinds;
  std::vector<Team> teams{Team::world, Team::twin, Team::half};
  std::vector<std::string> environment;  // NAME=value
  std::vector<Event> events;             // in the order of time
  std::vector<FaultPlace> faults;

  std::vector<int> doomed() const;
};

struct PlanOptions {
  std::vector<Kind> kinds;
  std::string program;  // "api", "mpi" or empty for either
  int rank_count = 0;   // 0: any
};

JobPlan draw_plan(Mode mode, std::uint64_t seed, const PlanOptions& options);

// One line.
std::string text_of(const JobPlan& plan);

// Commas between them; throws std::invalid_argument for one that does not exist.
std::vector<Mode> parse_modes(std::string_view text);
std::string mode_name(Mode mode);

// At which somebody may die in such jobs.
std::vector<std::string> points_of(Mode mode);

}  // namespace detour::kills
