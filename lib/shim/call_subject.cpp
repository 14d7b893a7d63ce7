#include "shim/call_subject.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "core/dead_ranks.hpp"
#include "launcher_channel.hpp"
#include "shim/left_open.hpp"
#include "shim/member_groups.hpp"

namespace detour::shim {
namespace {

// Of windows and files, by handle.
class KnownMembers {
 public:
  static KnownMembers& instance() {
    // Never destroyed: programs may use MPI until the very end.
    static auto* const known = new KnownMembers;
    return *known;
  }

  template <class Handle>
  WorldRanks find(Handle handle) {
    const std::lock_guard lock(mutex_);
    WorldRanks& known = members_[handle];
    if (!known)
      known = std::make_shared<const std::vector<int>>(MemberGroups(handle).world_ranks());
    return known;
  }

  void remove(const void* handle) {
    const std::lock_guard lock(mutex_);
    members_.erase(handle);
  }

 private:
  std::mutex mutex_;
  std::unordered_map<const void*, WorldRanks> members_;
};

template <class Handle>
std::vector<int> dead_in(Handle handle) {
  return any_rank_is_dead() ? MemberGroups(handle).dead() : std::vector<int>{};
}

bool is_fatal_for(MPI_Win win) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Win_get_errhandler(win, &handler);
  const bool is_fatal = handler == MPI_ERRORS_ARE_FATAL;
  PMPI_Errhandler_free(&handler);
  return is_fatal;
}

// MPI is about to end this process, and would leave the others to themselves.
void tell_launcher(int error) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  PMPI_Error_string(error, text, &length);
  announce_loss(std::string(text) + ", and a window's error handler ends the job");
}

}  // namespace

std::vector<int> dead_members(MPI_Comm comm) {
  return dead_in(comm);
}
std::vector<int> dead_members(MPI_Win win) {
  return dead_in(win);
}
std::vector<int> dead_members(MPI_File file) {
  return dead_in(file);
}

WorldRanks members_of(MPI_Comm comm) {
  return std::make_shared<const std::vector<int>>(MemberGroups(comm).world_ranks());
}
WorldRanks members_of(MPI_Win win) {
  return KnownMembers::instance().find(win);
}
WorldRanks members_of(MPI_File file) {
  return KnownMembers::instance().find(file);
}

int report(MPI_Comm comm, int error) {
  return report_process_failed(comm, error);
}
int report(MPI_Win win, int error) {
  if (is_fatal_for(win)) tell_launcher(error);
  PMPI_Win_call_errhandler(win, error);
  return error;
}
int report(MPI_File file, int error) {
  PMPI_File_call_errhandler(file, error);
  return error;
}

void forget_members(MPI_Win win) {
  KnownMembers::instance().remove(win);
  forget_open(win);
}
void forget_members(MPI_File file) {
  KnownMembers::instance().remove(file);
  forget_open(file);
}

}  // namespace detour::shim
