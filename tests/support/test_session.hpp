// Runs the test cases of a program.
#pragma once

namespace detour::test {

// With the arguments of main(), whose status it returns.
int run_test_cases(int argc, char** argv);

}  // namespace detour::test
