// The main() of every test program. Catch2 2 is compiled into it, Catch2 3 comes as a library.
#define CATCH_CONFIG_RUNNER
#include "support/catch.hpp"

int main(int argc, char** argv) {
  return Catch::Session().run(argc, argv);
}
