// Every call that waits for a rank, while that rank dies: a victim for each of them.
//
//   dies_during FIRST    begins with that call, and goes on while there are victims
#include <cstdlib>

#include "calls.hpp"
#include "job.hpp"

int main(int argc, char** argv) {
  job::begin(&argc, &argv);
  if (job::rank != 0) {
    job::obey();
  } else {
    const auto& tried = calls::waiting();
    int victim = 1;
    for (auto at = static_cast<std::size_t>(std::atoi(argv[1]));
         at < tried.size() && victim < job::size; ++at, ++victim) {
      job::run(tried[at].name, [&] {
        job::give(victim, job::Order::die_later);
        job::expect_failed(tried[at].make(victim), victim);
      });
    }
    for (; victim < job::size; ++victim) job::give(victim, job::Order::finish);
  }
  MPI_Finalize();
  return 0;
}
