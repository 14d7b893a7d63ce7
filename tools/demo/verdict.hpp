// Whether the job has kept what the demo promises.
#pragma once

#include <optional>
#include <string>

#include "demo/progress.hpp"

namespace detour::demo {

// What is wrong, in words: a survivor that did not finish, or has other numbers than the rest;
// somebody dead who should not be, or alive; a net that has learnt nothing.
std::optional<std::string> find_fault(const Progress& progress, int exit_status);

// How each rank has ended, a line each.
std::string ends_text(const Progress& progress);

}  // namespace detour::demo
