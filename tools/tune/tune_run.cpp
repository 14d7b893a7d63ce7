#include "tune/tune_run.hpp"

#include <iostream>

#include "alternation/machine.hpp"
#include "bench/mpi_job.hpp"
#include "bench/progress.hpp"
#include "bench/recovery/own_job.hpp"
#include "detour/detour.h"
#include "exit_status.hpp"
#include "format.hpp"
#include "output.hpp"
#include "tune/table_text.hpp"
#include "tune/tune_rank.hpp"

namespace detour::tool {
namespace {

void check_can_write_table(const TuneOptions& options) {
  if (options.output_path) check_can_write(*options.output_path);
}

void write_table(const TuneOptions& options, std::span<const JobTimes> jobs) {
  const std::string text = table_text(jobs, describe_machine(), Detour_Version());
  if (options.output_path) {
    write_file(*options.output_path, text);
  } else {
    std::cout << text;
  }
  finish_output();
}

// Of one job: which size and place is being measured.
class TuneProgress {
 public:
  TuneProgress(const TuneOptions& options, bool speaks)
      : sizes_bytes_(options.sizes_bytes),
        progress_(speaks && (options.progress || stderr_is_terminal())) {}

  void begin(int rank_count) {
    rank_count_ = rank_count;
    place_count_ = 0;
    show();
  }
  void finish_place() {
    ++place_count_;
    show();
  }

 private:
  void show() {
    const std::size_t index = place_count_ / 2;
    if (index == sizes_bytes_.size()) return progress_.clear();
    progress_.show(count(rank_count_, "rank") + ", size " + std::to_string(index + 1) + " of " +
                   std::to_string(sizes_bytes_.size()) + ": " + size(sizes_bytes_[index]) + " " +
                   place_words(place_count_ % 2 == 1));
  }

  const std::vector<std::uint64_t>& sizes_bytes_;
  Progress progress_;
  int rank_count_ = 0;
  std::size_t place_count_ = 0;
};

JobTimes times_of_own_job(const TuneOptions& options, const std::vector<std::string>& words,
                          int rank_count, TuneProgress& progress) {
  JobTimes job;
  std::size_t place_count = 0;
  progress.begin(rank_count);
  run_own_job({.rank_count = rank_count, .words = words, .on_line = [&](std::string_view line) {
                 const auto place = place_times_from(line);
                 if (!place) return;
                 add(job, *place);
                 ++place_count;
                 progress.finish_place();
               }});
  if (place_count != 2 * options.sizes_bytes.size()) {
    throw Defect("a job of " + count(rank_count, "rank") + " ended well, but told of " +
                 std::to_string(place_count) + " measurements instead of " +
                 std::to_string(2 * options.sizes_bytes.size()));
  }
  return job;
}

}  // namespace

void tune_this_job(const TuneOptions& options, const Settings& settings) {
  MpiPeers peers(MPI_COMM_WORLD);
  const bool speaks = peers.rank() == 0;
  do_on_first_rank(peers, [&] { check_can_write_table(options); });
  JobTimes job;
  TuneProgress progress(options, speaks && !options.as_lines);
  progress.begin(peers.count());
  measure_ways(options, settings, [&](const PlaceTimes& place) {
    add(job, place);
    if (options.as_lines) std::cout << to_line(place) << std::endl;
    progress.finish_place();
  });
  if (options.as_lines) return;
  do_on_first_rank(peers, [&] { write_table(options, std::span(&job, 1)); });
}

void tune_by_own_jobs(const TuneOptions& options, const std::vector<std::string>& words_for_rank) {
  check_can_write_table(options);
  TuneProgress progress(options, true);
  std::vector<JobTimes> jobs;
  for (const int rank_count : options.rank_counts) {
    jobs.push_back(times_of_own_job(options, words_for_rank, rank_count, progress));
  }
  write_table(options, jobs);
}

}  // namespace detour::tool
