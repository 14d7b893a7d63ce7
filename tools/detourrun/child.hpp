// A program that runs as a child of this process and does not outlive it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "environment.hpp"
#include "signal_queue.hpp"

namespace detour::run {

struct ChildPlan {
  std::vector<std::string> command;
  std::string file;  // of the program; empty: command[0]
  Environment environment;
  int signal_at_parents_death = 0;
  int blocked_signal = 0;  // that it is not to notice; 0: none
};

struct ChildStart {
  pid_t pid = -1;
  int error = 0;  // why the program could not be run, as errno; then there is no child
};

// Looks for the program in the PATH of its environment.
ChildStart start_child(const ChildPlan& plan, const SignalQueue& signals);
// "can't run PROGRAM: ..."
std::string words_of_failed_start(const ChildPlan& plan, int error);

// How it ended, as waitpid has it; nothing while it runs.
std::optional<int> reap(pid_t child);

}  // namespace detour::run
