// Runs `detour bench` under mpirun.
#pragma once

#include <string>
#include <vector>

#include "detour_program.hpp"

namespace detour::test {

// Blanks separate words.
ProgramResult run_bench(int rank_count, const std::string& arguments);

// The output of a run that has to go well.
std::string bench_output(int rank_count, const std::string& arguments);

std::vector<std::string> lines_of(const std::string& text);

// What the program itself said; mpirun has a word about exit statuses, too.
std::vector<std::string> complaints_of(const ProgramResult& result);

}  // namespace detour::test
