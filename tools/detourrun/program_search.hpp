// Where programs are, by mpirun's rules, and what is wrong with those that it could not start.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "application.hpp"

namespace detour::run {

// A name with a slash in it is that of a file, seen from `folder`; others are looked for along `path`,
// and then in `folder`. Nothing if there is no program that could be executed.
std::optional<std::string> find_program(const std::string& name, std::string_view path,
                                        const std::string& folder);

// As shells have it.
inline constexpr int no_program_status = 127;
inline constexpr int cannot_execute_status = 126;
// Of a program that could not be executed, with this errno.
int status_of_failed_start(int error);

struct ProgramProblem {
  std::string words;
  int status = 0;
};

// The first of the programs that this host has not got. Without it mpirun would wait for ever, in silence, if it
// is Open MPI 4.1's and goes on without ranks that end.
std::optional<ProgramProblem> find_missing_program(const Applications& applications,
                                                   std::string_view users_path);

}  // namespace detour::run
