#include "core/unrecallable_call.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>

#include "core/dead_ranks.hpp"
#include "signals_blocked.hpp"

namespace detour {
namespace {

// From the moment that a death is known here. The others may be through, and need this long to find nothing wrong.
constexpr std::chrono::seconds patience{5};
constexpr int ended_status = 1;

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

int first_dead_of(const std::vector<int>& world_ranks) {
  const auto found = std::find_if(world_ranks.begin(), world_ranks.end(), world_rank_is_dead);
  return found != world_ranks.end() ? *found : MPI_UNDEFINED;
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

UnrecallableCall::UnrecallableCall(const char* function, MPI_Comm comm)
    : function_(function),
      world_ranks_(world_ranks_of(comm)),
      launcher_watch_(function, world_ranks_) {
  Deaths::instance().add_observer(*this);
}

UnrecallableCall::UnrecallableCall(const char* function, MPI_Comm comm,
                                   const std::vector<int>& members)
    : function_(function),
      world_ranks_(world_ranks_of(comm, members)),
      launcher_watch_(function, world_ranks_) {
  Deaths::instance().add_observer(*this);
}

UnrecallableCall::~UnrecallableCall() {
  Deaths::instance().remove_observer(*this);
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_.notify_all();
  if (thread_.joinable()) thread_.join();
}

// Never by two threads at once: whoever tells holds a lock.
void UnrecallableCall::on_death(PeerId) {
  if (thread_.joinable() || first_dead_of(world_ranks_) == MPI_UNDEFINED) return;
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { watch(); });
}

void UnrecallableCall::watch() {
  std::unique_lock lock(mutex_);
  if (over_.wait_for(lock, patience, [this] { return is_over_; })) return;
  const std::string words = "rank " + std::to_string(first_dead_of(world_ranks_)) +
                            " died while others waited for it in " + function_ +
                            ", which nothing but the end of the job can end";
  // The launcher ends this process too; until then it stays where it is.
  if (announce_abort(ended_status, words)) {
    over_.wait(lock, [this] { return is_over_; });
    return;
  }
  std::fprintf(stderr, "detour: %s\n", words.c_str());
  std::fflush(stderr);
  ::_exit(ended_status);
}

}  // namespace detour
