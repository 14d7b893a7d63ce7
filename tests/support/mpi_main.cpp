// The main() of test programs that use MPI: each run is a job of one process.
#include <mpi.h>

#include <cstdlib>

#include "support/mpi_session.hpp"
#include "support/test_session.hpp"

int main(int argc, char** argv) {
  // No daemon, no network: a process of its own needs neither.
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 1);
  // Nor a folder: all such jobs would have the same one, and whoever ends takes it from those that are just beginning.
  setenv("OMPI_MCA_orte_create_session_dirs", "0", 1);
  const int failures = detour::test::run_test_cases(argc, argv);
  detour::test::end_mpi();
  return failures;
}
