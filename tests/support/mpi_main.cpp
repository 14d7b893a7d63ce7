// The main() of test programs that use MPI: each run is a job of one process.
#include <mpi.h>

#include <cstdlib>

#define CATCH_CONFIG_RUNNER
#include "mpi/type_cache.hpp"
#include "support/catch.hpp"
#include "support/mpi_session.hpp"

// What MPI keeps to itself until the process ends is not our leak. The sanitizer finds out by names
// of libraries, for which it needs whole stacks.
extern "C" {
[[gnu::visibility("default")]] const char* __asan_default_options();
[[gnu::visibility("default")]] const char* __lsan_default_suppressions();

const char* __asan_default_options() {
  return "fast_unwind_on_malloc=0";
}

const char* __lsan_default_suppressions() {
  return "leak:libopen-rte\nleak:libopen-pal\nleak:libmpi\nleak:mca_\nleak:libpmix\n"
         "leak:libhwloc\nleak:libevent\n";
}
}

int main(int argc, char** argv) {
  // No daemon, no network: a process of its own needs neither.
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 1);
  const int failures = Catch::Session().run(argc, argv);
  detour::test::end_mpi();
  return failures;
}
