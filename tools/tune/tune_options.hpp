// What `detour tune` is asked to do, as typed and as understood.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace detour::tool {

struct TuneArguments {
  std::optional<std::string> sizes = {};
  std::optional<std::string> time_s = {};
  std::optional<std::string> rank_counts = {};
  std::optional<std::string> policies = {};
  std::optional<std::string> policy_path = {};
  std::optional<std::string> output_path = {};
  bool progress = false;
  bool as_lines = false;
};

struct TuneOptions {
  std::vector<std::uint64_t> sizes_bytes;
  double budget_s = 1;           // of a size
  std::vector<int> rank_counts;  // of the jobs to start, ascending; none in a job
  std::vector<std::string> policies;
  std::optional<std::string> output_path;  // none: standard output
  bool progress = false;
  bool as_lines = false;
};

// Throws BadInput. Policies are looked up: plug-ins have to be loaded already.
TuneOptions understand(const TuneArguments& arguments, bool is_in_job);

// What a rank of a job that is started for this is to be called with.
std::vector<std::string> words_for_rank(const TuneArguments& arguments);

}  // namespace detour::tool
