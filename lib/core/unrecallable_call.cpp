#include "core/unrecallable_call.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "core/dead_ranks.hpp"

namespace detour {
namespace {

std::vector<int> all_ranks_of(MPI_Group group) {
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

// Without those of other worlds.
std::vector<int> world_ranks_of(MPI_Group group, const std::vector<int>& ranks) {
  MPI_Group world = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  std::vector<int> translated(ranks.size(), MPI_UNDEFINED);
  PMPI_Group_translate_ranks(group, static_cast<int>(ranks.size()), ranks.data(), world,
                             translated.data());
  PMPI_Group_free(&world);
  std::erase(translated, MPI_UNDEFINED);
  return translated;
}

std::vector<int> world_ranks_of(MPI_Comm comm, const std::vector<int>& ranks) {
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  const auto translated = world_ranks_of(group, ranks);
  PMPI_Group_free(&group);
  return translated;
}

// Of both groups, if there are two.
std::vector<int> world_ranks_of(MPI_Comm comm) {
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  auto all = world_ranks_of(group, all_ranks_of(group));
  PMPI_Group_free(&group);
  int is_between_groups = 0;
  PMPI_Comm_test_inter(comm, &is_between_groups);
  if (is_between_groups != 0) {
    PMPI_Comm_remote_group(comm, &group);
    const auto others = world_ranks_of(group, all_ranks_of(group));
    all.insert(all.end(), others.begin(), others.end());
    PMPI_Group_free(&group);
  }
  return all;
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
  wait_.emplace(text_of(world_ranks_of(comm)), function);
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
    : UnrecallableCall(function, world_ranks_of(comm)) {}

UnrecallableCall::UnrecallableCall(const char* function, MPI_Comm comm,
                                   const std::vector<int>& members)
    : UnrecallableCall(function, world_ranks_of(comm, members)) {}

}  // namespace detour
