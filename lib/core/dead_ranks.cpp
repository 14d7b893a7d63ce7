#include "core/dead_ranks.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "core/deaths.hpp"
#include "launcher_channel.hpp"
#include "log.hpp"
#include "mpi/process_failed.hpp"
#include "mpi/translated_ranks.hpp"

namespace detour {
namespace {

// Looked at on the way of every message, so nothing has to be made or found first.
constinit std::atomic<std::uint64_t> noticed_count{0};
constinit std::atomic<bool> all_are_watched{false};

// Told of deaths in the detector's thread; asked by the program's.
class WorldDeaths : public DeathObserver {
 public:
  static WorldDeaths& instance() {
    // Never destroyed: the detector's thread runs until the very end.
    static auto* const deaths = new WorldDeaths;
    return *deaths;
  }

  void remember(PeerId process, int world_rank) {
    int world_size = 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &world_size);
    const std::lock_guard lock(mutex_);
    world_ranks_.emplace(process, world_rank);
    if (world_ranks_.size() + 1 == static_cast<std::size_t>(world_size)) {
      all_are_watched.store(true, std::memory_order_release);
    }
  }

  // The set is complete before the count tells of it.
  void on_death(PeerId process) override {
    const std::lock_guard lock(mutex_);
    const auto found = world_ranks_.find(process);
    if (found == world_ranks_.end() || !dead_.insert(found->second).second) return;
    noticed_count.fetch_add(1, std::memory_order_release);
  }

  bool contains(int world_rank) {
    const std::lock_guard lock(mutex_);
    return dead_.contains(world_rank);
  }

  std::vector<int> world_ranks() {
    const std::lock_guard lock(mutex_);
    return {dead_.begin(), dead_.end()};
  }

 private:
  WorldDeaths() { Deaths::instance().add_observer(*this); }

  std::mutex mutex_;  // guards what follows
  std::map<PeerId, int> world_ranks_;
  std::set<int> dead_;
};

// Whose ranks the program's calls speak of.
class PeerGroup {
 public:
  explicit PeerGroup(MPI_Comm comm) {
    int is_between_groups = 0;
    PMPI_Comm_test_inter(comm, &is_between_groups);
    if (is_between_groups != 0) {
      PMPI_Comm_remote_group(comm, &group_);
    } else {
      PMPI_Comm_group(comm, &group_);
    }
  }
  ~PeerGroup() { PMPI_Group_free(&group_); }
  PeerGroup(const PeerGroup&) = delete;
  PeerGroup& operator=(const PeerGroup&) = delete;

  MPI_Group get() const { return group_; }

 private:
  MPI_Group group_ = MPI_GROUP_NULL;
};

// By text, so that there are no more of them than there are things to say.
class FailureCodes {
 public:
  int code_for(const std::string& text) {
    const std::lock_guard lock(mutex_);
    const auto [found, is_new] = codes_.emplace(text, process_failed_class());
    int added = 0;
    if (is_new && PMPI_Add_error_code(process_failed_class(), &added) == MPI_SUCCESS) {
      PMPI_Add_error_string(added, text.c_str());
      found->second = added;
    }
    return found->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, int> codes_;
};

FailureCodes& failure_codes() {
  static auto* const codes = new FailureCodes;
  return *codes;
}

// "ranks 1, 2 and 5 of the communicator have died", or as many of them as fit and how many others.
std::string names_of(const std::vector<int>& ranks) {
  constexpr std::size_t list_length_max = 150;
  std::string list = std::to_string(ranks.front());
  for (std::size_t at = 1; at < ranks.size(); ++at) {
    const bool is_last = at + 1 == ranks.size();
    if (list.size() > list_length_max && !is_last) {
      return list + " and " + std::to_string(ranks.size() - at) + " others";
    }
    list += (is_last ? " and " : ", ") + std::to_string(ranks[at]);
  }
  return list;
}

std::string text_of(int code) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  PMPI_Error_string(code, text, &length);
  return {text, static_cast<std::size_t>(length)};
}

}  // namespace

bool deaths_are_noticed() {
  return all_are_watched.load(std::memory_order_acquire);
}

bool any_rank_is_dead() {
  return death_count() != 0;
}

std::uint64_t death_count() {
  return noticed_count.load(std::memory_order_acquire);
}

bool world_rank_is_dead(int world_rank) {
  return any_rank_is_dead() && WorldDeaths::instance().contains(world_rank);
}

bool is_dead(MPI_Comm comm, int rank) {
  if (!any_rank_is_dead() || comm == MPI_COMM_NULL || rank < 0) return false;
  const int world_rank = world_rank_of(comm, rank);
  return world_rank != MPI_UNDEFINED && WorldDeaths::instance().contains(world_rank);
}

std::vector<int> dead_ranks(MPI_Comm comm) {
  if (!any_rank_is_dead() || comm == MPI_COMM_NULL) return {};
  return dead_ranks_of_group(PeerGroup(comm).get());
}

std::vector<int> dead_ranks_of_group(MPI_Group group) {
  const std::vector<int> dead = WorldDeaths::instance().world_ranks();
  if (dead.empty()) return {};
  const PeerGroup world(MPI_COMM_WORLD);
  std::vector<int> ranks(dead.size(), MPI_UNDEFINED);
  PMPI_Group_translate_ranks(world.get(), static_cast<int>(dead.size()), dead.data(), group,
                             ranks.data());
  std::erase(ranks, MPI_UNDEFINED);
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

int process_failed_code(int rank) {
  return failure_codes().code_for("rank " + std::to_string(rank) + " of the communicator has died");
}

int process_failed_code(const std::vector<int>& ranks) {
  if (ranks.empty()) return process_failed_class();
  if (ranks.size() == 1) return process_failed_code(ranks.front());
  return failure_codes().code_for("ranks " + names_of(ranks) + " of the communicator have died");
}

int report_process_failed(MPI_Comm comm, int code) {
  end_job_if_fatal(comm, code);
  PMPI_Comm_call_errhandler(comm, code);
  return code;
}

// With recovery on, MPI ends this process and leaves the others to themselves: so the launcher is told.
void end_job_if_fatal(MPI_Comm comm, int code) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(comm, &handler);
  const bool is_fatal = handler == MPI_ERRORS_ARE_FATAL;
  PMPI_Errhandler_free(&handler);
  if (!is_fatal) return;
  constexpr int status = 1;
  const std::string words = text_of(code) + ", and its error handler is MPI_ERRORS_ARE_FATAL; " +
                            "with MPI_ERRORS_RETURN the call returns an error and the job goes on";
  log(LogLevel::error, words);
  announce_loss(words);
  PMPI_Abort(comm, status);
}

bool dead_are_quiet() {
  return Deaths::instance().dead_are_quiet();
}

void remember_world_rank(PeerId process, int world_rank) {
  WorldDeaths::instance().remember(process, world_rank);
}

}  // namespace detour
