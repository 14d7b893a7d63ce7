#include "shim/survival.hpp"

#include "core/dead_ranks.hpp"
#include "launcher_channel.hpp"
#include "mpi/recovery_setting.hpp"

namespace detour::shim {

bool survives_deaths() {
  static const bool goes_on = is_under_launcher() || mpirun_lets_others_go_on();
  return goes_on && deaths_are_noticed();
}

}  // namespace detour::shim
