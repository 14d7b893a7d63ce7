// A program that runs as a child of this process and does not outlive it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "detour/routing/outcome.hpp"
#include "environment.hpp"
#include "signal_queue.hpp"

namespace detour::run {

// A program that can't be run ends with this status, as in shells.
inline constexpr int cannot_run_status = 127;

struct ChildPlan {
  std::vector<std::string> command;
  Environment environment;
  int signal_at_parents_death = 0;
};

// Looks for the program in the PATH of its environment.
Outcome<pid_t> start_child(const ChildPlan& plan, const SignalQueue& signals);

// How it ended, as waitpid has it; nothing while it runs.
std::optional<int> reap(pid_t child);

}  // namespace detour::run
