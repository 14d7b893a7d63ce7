// Runs a program the way a shell would, and keeps what it said.
#pragma once

#include <string>
#include <vector>

namespace detour::test {

struct ProgramResult {
  int exit_status = -1;  // minus the signal's number if one ended it
  std::string out;
  std::string err;
  long memory_kib_max = 0;
};

struct ProgramOptions {
  // "NAME=value"; the locale is UTF-8, and settings of whoever runs the tests are kept out.
  std::vector<std::string> environment = {};
  std::string stdout_path = {};        // instead of keeping the output
  bool stdout_reader_is_gone = false;  // a pipe that nobody reads
};

// `arguments` starts with the program's path.
ProgramResult run_program(const std::vector<std::string>& arguments,
                          const ProgramOptions& options = {});

}  // namespace detour::test
