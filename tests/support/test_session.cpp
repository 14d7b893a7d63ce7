// Catch2 2 is compiled into this file, Catch2 3 comes as a library.
#include "support/test_session.hpp"

#define CATCH_CONFIG_RUNNER
#include "support/catch.hpp"

namespace detour::test {

int run_test_cases(int argc, char** argv) {
  return Catch::Session().run(argc, argv);
}

}  // namespace detour::test
