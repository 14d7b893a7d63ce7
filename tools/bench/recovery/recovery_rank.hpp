// What each rank of a job does for `detour bench --recovery`: it sums in a loop while one rank after the other is
// killed, and notes when the library got over it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "bench/recovery/kill_times.hpp"
#include "bench/recovery/losing_job.hpp"
#include "bench/recovery/recovery_options.hpp"

namespace detour::tool {

class RecoveryRank {
 public:
  // Throws BadInput, on all ranks, if the job has too few of them.
  RecoveryRank(const RecoveryOptions& options, LosingJob& job);

  // Loses the ranks. `on_kill` is called on all survivors after each.
  std::vector<KillTimes> run(const std::function<void(const KillTimes&)>& on_kill);

 private:
  struct Round {
    int victim = 0;
    int killer = 0;
    bool half_computes = false;
    std::int64_t kill_delay_ns = 0;
    std::int64_t compute_ns = 0;
  };

  std::int64_t measure_fault_free_ns();
  Round draw_round(bool half_computes, std::int64_t fault_free_ns);
  KillTimes lose_one(const Round& round, std::int64_t fault_free_ns);
  bool computes_in(const Round& round) const;
  std::int64_t sum_up_until_recovered(const Round& round);
  void prepare_buffers();
  void sum_up();
  void check_result(std::size_t stride) const;

  const RecoveryOptions& options_;
  LosingJob& job_;
  std::mt19937_64 random_;  // draws the same on all ranks
  std::vector<std::int64_t> process_ids_;
  std::vector<float> input_;
  std::vector<float> output_;
};

}  // namespace detour::tool
