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
