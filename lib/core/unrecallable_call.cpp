#include "core/unrecallable_call.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "core/dead_ranks.hpp"
#include "mpi/translated_ranks.hpp"

namespace detour {
namespace {

// Of both groups, if there are two. Without those of other worlds.
std::vector<int> all_world_ranks_of(MPI_Comm comm) {
  auto all = world_ranks_of(comm);
  int is_between_groups = 0;
  PMPI_Comm_test_inter(comm, &is_between_groups);
  if (is_between_groups != 0) {
    MPI_Group remote = MPI_GROUP_NULL;
    PMPI_Comm_remote_group(comm, &remote);
    const auto others = ranks_in(MPI_COMM_WORLD, remote);
    all.insert(all.end(), others.begin(), others.end());
    PMPI_Group_free(&remote);
  }
  std::erase(all, MPI_UNDEFINED);
  return all;
}

std::vector<int> some_world_ranks_of(MPI_Comm comm, const std::vector<int>& members) {
  const auto all = world_ranks_of(comm);
  std::vector<int> some;
  for (const int member : members) some.push_back(all[static_cast<std::size_t>(member)]);
  std::erase(some, MPI_UNDEFINED);
  return some;
}

// 0-3,5 for 5, 0, 1, 3 and 2.
std::string text_of(std::vector<int> ranks) {
  std::sort(ranks.begin(), ranks.end());
  std::string text;
  for (std::size_t first = 0; first < ranks.size();) {
    std::size_t last = first;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    text += (first == 0 ? "" : ",") + std::to_string(ranks[first]);
    if (last > first) text += "-" + std::to_string(ranks[last]);
    first = last + 1;
  }
  return text;
}

}  // namespace

LauncherWatch::LauncherWatch(const char* function, MPI_Comm comm) {
  if (!is_under_launcher() || deaths_are_noticed()) return;
  wait_.emplace(text_of(all_world_ranks_of(comm)), function);
}

LauncherWatch::LauncherWatch(const char* function, const std::vector<int>& world_ranks) {
  if (!is_under_launcher() || deaths_are_noticed()) return;
  wait_.emplace(text_of(world_ranks), function);
}

UnrecallableCall::UnrecallableCall(const char* function, std::vector<int> world_ranks)
    : world_ranks_(std::make_shared<const std::vector<int>>(std::move(world_ranks))),
      launcher_watch_(function, *world_ranks_),
      watch_(function, world_ranks_) {}

UnrecallableCall::UnrecallableCall(const char* function, MPI_Comm comm)
    : UnrecallableCall(function, all_world_ranks_of(comm)) {}

UnrecallableCall::UnrecallableCall(const char* function, MPI_Comm comm,
                                   const std::vector<int>& members)
    : UnrecallableCall(function, some_world_ranks_of(comm, members)) {}

}  // namespace detour
