#include "bench/recovery/survivors_rank.hpp"

#include <signal.h>
#include <unistd.h>

#include <stdexcept>

#include "bench/bench_run.hpp"
#include "detour/detour.h"
#include "exit_status.hpp"
#include "placement/mesh_choice.hpp"
#include "value_text.hpp"

namespace detour::tool {
namespace {

constexpr std::int64_t patience_ns = 60'000'000'000;

// The last ones: where they were the mesh has holes at its end, and so it has if there never were any.
void lose_last_ranks(LosingJob& job, int kill_count) {
  const int survivor_count = job.rank_count() - kill_count;
  job.meet();
  if (job.rank() >= survivor_count) ::kill(::getpid(), SIGKILL);
  const std::int64_t start_ns = monotonic_ns();
  while (static_cast<int>(job.live_ranks().size()) > survivor_count) {
    job.meet();
    if (monotonic_ns() - start_ns > patience_ns) {
      throw std::runtime_error("ranks were killed, but operations go on as if they were there");
    }
  }
}

MPI_Comm communicator_of(const std::vector<int>& ranks) {
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &group);
  check_mpi(PMPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &comm), "making a communicator");
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return comm;
}

// As if the job had been started with as many ranks, on the mesh of more.
void prepare_fresh(MPI_Comm comm, const LosingJob& job, const std::vector<std::string>& policies) {
  const std::string mesh = mesh_text(choose_mesh(job.rank_count()));
  check_mpi(Detour_Set(comm, "mesh", mesh.c_str()), "setting the mesh");
  if (!policies.empty()) {
    check_mpi(Detour_Set(comm, "policy", policies.front().c_str()), "setting the policy");
  }
  check_mpi(Detour_Prepare(comm), "preparing a communicator");
}

}  // namespace

void measure_survivors(const SurvivorsOptions& options, LosingJob& job) {
  if (options.kill_count >= job.rank_count()) {
    throw BadInput("a job of " + std::to_string(job.rank_count()) + " ranks can't lose " +
                   std::to_string(options.kill_count) + ": more ranks, or fewer --kills");
  }
  lose_last_ranks(job, options.kill_count);
  MPI_Comm fresh = communicator_of(job.live_ranks());
  prepare_fresh(fresh, job, options.bench.policies);
  {
    MpiPeers peers(fresh);
    const LineUpOptions line_up{.type = options.bench.type, .operation = options.bench.operation};
    run_bench(options.bench, {.peers = peers,
                              .lost_rank_count = options.kill_count,
                              .twin = TwinKind::without_losses,
                              .make_line_up = [&](std::vector<std::string>&) {
                                return std::make_unique<LineUp>(
                                    line_up, std::vector<std::pair<SeriesName, MPI_Comm>>{
                                                 {{"detour"}, job.measured()},
                                                 {{"fresh", SeriesRole::twin}, fresh}});
                              }});
  }
  PMPI_Comm_free(&fresh);
}

}  // namespace detour::tool
