// What the demo is asked for.
#pragma once

#include <string>
#include <vector>

#include "demo/progress.hpp"

namespace detour::demo {

inline constexpr int mesh_side = 4;
inline constexpr int rank_count = mesh_side * mesh_side;

struct Options {
  int step_count = 600;
  std::string policy = "trees";
  std::vector<Kill> kills;
  bool plain = false;
};

// Throws tool::BadInput, and what CLI11 throws for --help.
Options parse_options(int argc, char** argv);

// "5@120": rank and step. Throws tool::BadInput.
Kill parse_kill(const std::string& text);

}  // namespace detour::demo
