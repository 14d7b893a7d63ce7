#include "tune/tune_options.hpp"

#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "bench/bench_options.hpp"
#include "bench/number_type.hpp"
#include "bench/size_range.hpp"
#include "exit_status.hpp"

namespace detour::tool {
namespace {

constexpr int rank_count_max = 1024;
constexpr int usual_rank_count_max = 16;  // on small machines, too: such jobs are not rare there
constexpr double budget_s_max = 60;       // jobs that are silent for long are ended

std::vector<std::uint64_t> parse_sizes(const TuneArguments& arguments) {
  const NumberType& type = find_number_type("float");
  const auto sizes =
      whole_elements(parse_size_range("-m", arguments.sizes.value_or("1K:16M")), type.bytes);
  check_element_count(sizes.back(), type);
  return sizes;
}

double parse_budget(const TuneArguments& arguments) {
  const double budget_s = parse_positive("--time", arguments.time_s.value_or("2"));
  if (budget_s <= budget_s_max) return budget_s;
  throw BadInput("--time is " + std::to_string(static_cast<int>(budget_s_max)) +
                 " seconds at most, not '" + *arguments.time_s + "'");
}

// Powers of two up to the number of cores, and up to 16 in any case.
std::vector<int> usual_rank_counts() {
  const long core_count = ::sysconf(_SC_NPROCESSORS_ONLN);
  std::vector<int> counts;
  for (int count = 2; count <= std::max<long>(core_count, usual_rank_count_max); count *= 2) {
    counts.push_back(count);
  }
  return counts;
}

std::vector<int> parse_rank_counts(std::string_view text) {
  std::vector<int> counts;
  while (true) {
    const auto comma = text.find(',');
    const auto count =
        static_cast<int>(parse_whole_number("--ranks", text.substr(0, comma), 2, rank_count_max));
    if (std::ranges::find(counts, count) != counts.end()) {
      throw BadInput("--ranks names " + std::to_string(count) + " twice");
    }
    counts.push_back(count);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  std::ranges::sort(counts);
  return counts;
}

std::vector<int> rank_counts_of(const TuneArguments& arguments, bool is_in_job) {
  if (!is_in_job) {
    return arguments.rank_counts ? parse_rank_counts(*arguments.rank_counts) : usual_rank_counts();
  }
  if (!arguments.rank_counts) return {};
  throw BadInput(
      "--ranks is for jobs that the program starts itself: leave out mpirun, or --ranks");
}

}  // namespace

TuneOptions understand(const TuneArguments& arguments, bool is_in_job) {
  return {.sizes_bytes = parse_sizes(arguments),
          .budget_s = parse_budget(arguments),
          .rank_counts = rank_counts_of(arguments, is_in_job),
          .policies = parse_policies("--policies", arguments.policies.value_or("all")),
          .output_path = arguments.output_path,
          .progress = arguments.progress,
          .as_lines = arguments.as_lines};
}

std::vector<std::string> words_for_rank(const TuneArguments& arguments) {
  std::vector<std::string> words{"tune", "--lines"};
  const std::pair<const char*, const std::optional<std::string>&> options[] = {
      {"--message-size", arguments.sizes},
      {"--time", arguments.time_s},
      {"--policies", arguments.policies},
      {"--policy-path", arguments.policy_path}};
  for (const auto& [name, value] : options) {
    if (value) words.insert(words.end(), {name, *value});
  }
  return words;
}

}  // namespace detour::tool
