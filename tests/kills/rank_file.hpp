// What a rank leaves behind for the harness: a file that both map, so that it is there however the rank ends.
//
// The rank writes; the harness reads while the job runs, and judges afterwards. `gate_is_open` and `is_doomed`
// are the harness's.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>

namespace detour::kills {

constexpr int rank_count_max = 16;
constexpr std::uint32_t step_count_max = 2000;
constexpr std::size_t team_count = 3;

enum class Phase : std::uint32_t { none, started, initialized, running, finalizing, done };

enum class RecordState : std::uint32_t { none, entered, returned };

enum class Outcome : std::uint32_t { success, process_failed };

// Of one step. What follows the state is written before it says `returned`.
struct Record {
  std::atomic<RecordState> state;
  Outcome outcome;
  std::uint64_t digest;        // of all that has to be the same on all ranks
  std::uint64_t contributors;  // a bit for each rank of MPI_COMM_WORLD; 0 where the rank can't know
};

struct RankFile {
  std::atomic<pid_t> pid;
  std::atomic<Phase> phase;
  // The ranks of MPI_COMM_WORLD in each team, a bit each; before the phase is `initialized`. None that died before the team was
  // made.
  std::uint64_t team_ranks[team_count];
  std::atomic<std::uint32_t> entered_count;  // steps that were begun
  std::atomic<bool> gate_is_open;
  std::atomic<bool> is_doomed;  // is killed, or is going to kill itself
  std::atomic<bool> has_complaint;
  char complaint[500];
  Record records[step_count_max];
};

static_assert(std::atomic<RecordState>::is_always_lock_free);

std::filesystem::path rank_file_path(const std::filesystem::path& folder, int rank);

// Stays mapped to the end of the process.
RankFile& create_rank_file(const std::filesystem::path& path);
RankFile& open_rank_file(const std::filesystem::path& path);

}  // namespace detour::kills
