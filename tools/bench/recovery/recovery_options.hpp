// What `detour bench --recovery` is asked to do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bench/bench_options.hpp"

namespace detour::tool {

// Whether half of the survivors compute while a rank is killed, and come to the operation later.
enum class Busy {
  none,
  half,  // as many kills as without, after those
  only,  // those alone
};

struct RecoveryOptions {
  std::optional<int> rank_count;  // of jobs that the program starts itself
  int kill_count = 1;             // of each kind, in all
  int kills_per_job = 1;
  std::uint64_t bytes = std::uint64_t{16} << 20;
  bool in_place = false;
  Busy busy = Busy::none;
  std::optional<std::string> policy;  // none: the library chooses
  std::optional<std::string> policy_path;
  std::uint64_t seed = 1;
  bool as_lines = false;  // each kill at once, for the program that started the job
  OutputFormat format = OutputFormat::table;
  std::optional<std::string> output_path;  // none: standard output
  bool progress = false;
};

// A rank's data is its own power of two, so that a sum says who is in it; sums of floats are exact up to here.
inline constexpr int recovery_rank_count_max = 24;

// Throws BadInput. In a job, which has its ranks already, other options make sense than without one.
RecoveryOptions understand_recovery(const BenchArguments& arguments, bool is_in_job);

// What `detour bench --survivors` needs beyond the usual options.
struct SurvivorsOptions {
  std::optional<int> rank_count;
  int kill_count = 2;
  BenchOptions bench;
};
SurvivorsOptions understand_survivors(const BenchArguments& arguments, bool is_in_job);

}  // namespace detour::tool
