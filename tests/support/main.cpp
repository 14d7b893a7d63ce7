// The main() of test programs.
#include "support/test_session.hpp"

int main(int argc, char** argv) {
  return detour::test::run_test_cases(argc, argv);
}
