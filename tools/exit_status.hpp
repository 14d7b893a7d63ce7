// How the program ends, and the exceptions that lead there.
#pragma once

#include <stdexcept>

namespace detour::tool {

enum ExitStatus : int {
  exit_fine = 0,
  exit_defect = 1,     // of this program or of a policy
  exit_bad_input = 2,  // one line on stderr says what is wrong
  exit_refused = 3,    // every policy that was asked refused
};

// For help.
inline constexpr const char* exit_statuses =
    "Exit status:\n"
    "  0  all went well\n"
    "  1  a policy failed or made a wrong plan\n"
    "  2  bad input, or output that can't be written\n"
    "  3  refused: no policy that was asked has a plan";

// For help on commands that measure.
inline constexpr const char* measuring_exit_statuses =
    "Exit status:\n"
    "  0  all went well\n"
    "  1  a result was wrong (rank, element and numbers are on standard error), or a job failed\n"
    "  2  bad input, or output that can't be written\n"
    "  3  refused: no policy that was asked can do it";

struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Defect : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace detour::tool
