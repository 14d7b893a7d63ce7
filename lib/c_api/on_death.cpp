#include "c_api/collective.hpp"
#include "core/death_notices.hpp"
#include "detour/detour.h"
#include "mpi/process_failed.hpp"

int Detour_Process_failed_class() {
  return detour::process_failed_class();
}

int Detour_On_death(Detour_Death_function* function, void* context) {
  using namespace detour;
  return guarded([&] {
    if (function == nullptr) {
      DeathNotices::instance().set_listener({});
      return MPI_SUCCESS;
    }
    DeathNotices::instance().set_listener([function, context](const DeathNotice& notice) {
      const std::chrono::duration<double> time = notice.noticed.time_since_epoch();
      const Detour_Death death{notice.world_rank, notice.pid, notice.host.c_str(), time.count()};
      function(&death, context);
    });
    return MPI_SUCCESS;
  });
}
