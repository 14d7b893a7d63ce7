#include "core/survival.hpp"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>

#include "launcher_channel.hpp"
#include "log.hpp"
#include "mpi/recovery_setting.hpp"
#include "setting_list.hpp"

namespace detour {
namespace {

// Somebody who asks for it has to hear that it can't be had; to others it is a piece of information.
LogLevel level_for(const Settings& settings) {
  const auto list = setting_list();
  const auto entry = std::find_if(list.begin(), list.end(),
                                  [](const SettingEntry& each) { return each.name == "ft"; });
  const auto origin = settings.origins[static_cast<std::size_t>(entry - list.begin())];
  return origin == SettingOrigin::built_in ? LogLevel::info : LogLevel::warn;
}

}  // namespace

bool job_spans_nodes() {
  const char* const on_node = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  const char* const in_job = std::getenv("OMPI_COMM_WORLD_SIZE");
  return on_node != nullptr && in_job != nullptr && std::atoi(on_node) < std::atoi(in_job);
}

void tell_what_deaths_mean(const Settings& settings) {
  int rank = 0;
  int rank_count = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  if (rank_count == 1) return;
  if (!settings.fault_tolerance) {
    announce_dependence("DETOUR_FT=off");
  } else if (job_spans_nodes()) {
    tell_that_deaths_end_the_job(
        settings, "this job spans several nodes, which Detour can't survive yet", rank == 0);
  } else if (rank == 0 && !is_under_launcher() && !mpirun_lets_others_go_on()) {
    log(level_for(settings),
        "a rank's death ends this job: start it with detourrun, or mpirun --enable-recovery "
        "(Open MPI 5: --with-ft ulfm), for the others to go on");
  }
}

void tell_that_deaths_end_the_job(const Settings& settings, std::string_view reason, bool speaks) {
  static std::atomic<bool> is_known{false};
  if (!settings.fault_tolerance || is_known.exchange(true)) return;
  const bool is_ended = announce_dependence(reason) || !mpirun_lets_others_go_on();
  if (!speaks) return;
  log(level_for(settings), "a rank's death ends this job{}: {}",
      is_ended ? "" : ", or leaves the others waiting: only detourrun can end it", reason);
}

}  // namespace detour
