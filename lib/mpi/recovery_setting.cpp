#include "mpi/recovery_setting.hpp"

#include <mpi.h>

#include <array>

namespace detour {
namespace {

// One of Open MPI's own settings, wherever it was made: an option of mpirun's, the environment, a file.
bool is_set(const char* name) {
  int index = 0;
  if (PMPI_T_cvar_get_index(name, &index) != MPI_SUCCESS) return false;
  MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
  int count = 0;
  if (PMPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS) return false;
  std::array<char, 256> value{};  // a truth value, of whatever size
  const bool is_read = count == 1 && PMPI_T_cvar_read(handle, value.data()) == MPI_SUCCESS;
  PMPI_T_cvar_handle_free(&handle);
  return is_read && value[0] != 0;
}

bool is_any_set() {
  // Open MPI takes the level for that of all of MPI, so it has to be the one that there is.
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  int provided = 0;
  if (PMPI_T_init_thread(level, &provided) != MPI_SUCCESS) return false;
  const bool is_any = is_set("orte_enable_recovery") || is_set("mpi_ft_enable");
  PMPI_T_finalize();
  return is_any;
}

}  // namespace

bool mpirun_lets_others_go_on() {
  static const bool they_do = is_any_set();
  return they_do;
}

}  // namespace detour
