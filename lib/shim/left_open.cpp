#include "shim/left_open.hpp"

#include <dlfcn.h>

#include <mutex>
#include <set>

#include "core/dead_ranks.hpp"
#include "log.hpp"
#include "shim/call_subject.hpp"

namespace detour::shim {
namespace {

std::mutex mutex;  // guards the sets

template <class Handle>
std::set<Handle>& open() {
  // Never destroyed: programs may use MPI until the very end.
  static auto* const handles = new std::set<Handle>;
  return *handles;
}

template <class Handle>
void remember(Handle handle) {
  const std::lock_guard lock(mutex);
  open<Handle>().insert(handle);
}

template <class Handle>
void forget(Handle handle) {
  const std::lock_guard lock(mutex);
  open<Handle>().erase(handle);
}

// Open MPI finds what it has to free in its tables of Fortran's handles. Without the table, or the function
// that changes it, there is nothing to be done.
bool remove_from_table(const char* name, MPI_Fint index) {
  using SetItem = int (*)(void* table, int index, void* item);
  void* const table = dlsym(RTLD_DEFAULT, name);
  const auto set_item =
      reinterpret_cast<SetItem>(dlsym(RTLD_DEFAULT, "opal_pointer_array_set_item"));
  if (table == nullptr || set_item == nullptr) return false;
  set_item(table, index, nullptr);
  return true;
}

bool remove_from_table(MPI_File file) {
  return remove_from_table("ompi_file_f_to_c_table", PMPI_File_c2f(file));
}

bool remove_from_table(MPI_Win win) {
  return remove_from_table("ompi_mpi_windows", PMPI_Win_c2f(win));
}

template <class Handle>
void abandon(const char* what) {
  for (const Handle handle : open<Handle>()) {
    if (dead_members(handle).empty() || remove_from_table(handle)) continue;
    log(LogLevel::warn, "MPI_Finalize may hang: a {} is open that the dead had open too", what);
  }
}

}  // namespace

void remember_open(MPI_File file) {
  remember(file);
}
void remember_open(MPI_Win win) {
  remember(win);
}
void forget_open(MPI_File file) {
  forget(file);
}
void forget_open(MPI_Win win) {
  forget(win);
}

void abandon_what_the_dead_share() {
  if (!any_rank_is_dead()) return;
  const std::lock_guard lock(mutex);
  abandon<MPI_File>("file");
  abandon<MPI_Win>("window");
}

}  // namespace detour::shim
