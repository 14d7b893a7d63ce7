// What the user wrote: a few options of ours, then everything else, which is mpirun's.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "detour/routing/outcome.hpp"

namespace detour::run {

struct CommandLine {
  bool wants_help = false;
  bool wants_version = false;
  bool preload = true;
  std::string mpirun = "mpirun";  // a name to look for in PATH, or a path
  std::chrono::milliseconds grace{5000};
  std::vector<std::string> for_mpirun;  // as they were written
};

// Ours come first. They end at the first that is not ours, or at "--", which is dropped.
Outcome<CommandLine> parse_command_line(const std::vector<std::string>& arguments);

std::string help_text();

}  // namespace detour::run
