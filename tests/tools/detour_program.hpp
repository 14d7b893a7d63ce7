// Runs `detour`, and asks for what every run has to keep to.
#pragma once

#include <string>

#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/run_program.hpp"

namespace detour::test {

// `arguments` as one would type them, separated by blanks; '' is an empty word.
ProgramResult run_detour(const std::string& arguments, const ProgramOptions& options = {});

// The output of a run that has to go well.
std::string output_of(const std::string& arguments, const ProgramOptions& options = {});

// The complaint of a run that has to go wrong: exactly one line, without its start "detour: ".
std::string complaint_of(const std::string& arguments, int exit_status,
                         const ProgramOptions& options = {});

}  // namespace detour::test
