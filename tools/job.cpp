#include "job.hpp"

#include <mpi.h>
#include <unistd.h>

#include <cstdlib>
#include <type_traits>

#include "placement/hardware_place.hpp"

namespace detour::tool {
namespace {

static_assert(std::is_trivially_copyable_v<RankReport>);

RankReport own_report() {
  RankReport report;
  report.location = own_location();
  report.core_count = hardware_place().core_count;
  report.machine_core_count = hardware_place().machine_core_count;
  // The last byte stays zero.
  ::gethostname(report.host_name.data(), report.host_name.size() - 1);
  return report;
}

}  // namespace

bool is_in_job() {
  return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
}

// MPI's default is to end the job with a message when anything goes wrong, which suits us.
std::vector<RankReport> gather_reports() {
  MPI_Init(nullptr, nullptr);
  int rank = 0;
  int rank_count = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  std::vector<RankReport> reports(rank == 0 ? static_cast<std::size_t>(rank_count) : 0);
  const RankReport own = own_report();
  MPI_Gather(&own, sizeof own, MPI_BYTE, reports.data(), sizeof own, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return reports;
}

}  // namespace detour::tool
