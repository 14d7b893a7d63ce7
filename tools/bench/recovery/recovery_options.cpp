#include "bench/recovery/recovery_options.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "bench/size_range.hpp"
#include "exit_status.hpp"

namespace detour::tool {
namespace {

constexpr int kill_count_max = 100'000;
constexpr int own_rank_count = 8;
constexpr int own_kill_count = 20;
constexpr int survivors_kill_count = 2;

std::optional<int> parse(const char* option, const std::optional<std::string>& text,
                         std::uint64_t least, std::uint64_t most) {
  if (!text) return std::nullopt;
  return static_cast<int>(parse_whole_number(option, *text, least, most));
}

void refuse(bool contradiction, const std::string& words) {
  if (contradiction) throw BadInput(words);
}

void check_job(const BenchArguments& arguments, bool is_in_job) {
  refuse(is_in_job && (arguments.rank_count || arguments.kills_per_job),
         "--ranks and --kills-per-job are for jobs that the program starts itself: leave out "
         "detourrun, or these");
}

std::optional<int> parse_rank_count(const BenchArguments& arguments, bool is_in_job) {
  if (is_in_job) return std::nullopt;
  return parse("--ranks", arguments.rank_count, 2, recovery_rank_count_max)
      .value_or(own_rank_count);
}

Busy parse_busy(const std::string& text) {
  if (text == "half") return Busy::half;
  if (text == "only") return Busy::only;
  throw BadInput("--busy is half or only, not '" + text + "'");
}

std::uint64_t parse_recovery_bytes(const std::string& text) {
  const auto sizes = whole_elements(parse_size_range("-m", text), sizeof(float));
  refuse(sizes.size() != 1, "--recovery is for one size at a time: -m 16M");
  refuse(sizes[0] / sizeof(float) > static_cast<std::uint64_t>(std::numeric_limits<int>::max()),
         "-m: a call can't take more than 2147483647 elements of float");
  return sizes[0];
}

// They would be passed over in silence otherwise.
void check_recovery_combinations(const BenchArguments& arguments) {
  const std::pair<bool, const char*> without_meaning[] = {
      {arguments.iterations.has_value(), "-i"},
      {arguments.warm_up.has_value(), "-x"},
      {arguments.time_s.has_value(), "--time"},
      {arguments.type.has_value(), "--type"},
      {arguments.operation.has_value(), "--op"},
      {arguments.compare.has_value(), "--compare"},
      {arguments.transport.has_value(), "--transport"},
      {arguments.memory.has_value(), "--alloc"},
      {arguments.svg_path.has_value(), "--svg"},
      {arguments.plot.has_value(), "--plot"},
      {arguments.limit_gbs.has_value(), "--limit-gbs"},
      {arguments.no_validate, "--no-validate"},
      {arguments.csv, "--csv"},
      {arguments.survivors, "--survivors"},
      {arguments.buckets.has_value(), "--buckets"},
      {arguments.compute_us.has_value(), "--compute-us"}};
  for (const auto& [given, name] : without_meaning) {
    refuse(given, "--recovery and " + std::string(name) + " can't be had at once");
  }
}

}  // namespace

RecoveryOptions understand_recovery(const BenchArguments& arguments, bool is_in_job) {
  check_recovery_combinations(arguments);
  check_job(arguments, is_in_job);
  RecoveryOptions options{.rank_count = parse_rank_count(arguments, is_in_job),
                          .kill_count = parse("--kills", arguments.kill_count, 1, kill_count_max)
                                            .value_or(is_in_job ? 1 : own_kill_count),
                          .kills_per_job = 1,
                          .bytes = parse_recovery_bytes(arguments.sizes.value_or("16M")),
                          .in_place = arguments.in_place,
                          .busy = arguments.busy ? parse_busy(*arguments.busy) : Busy::none,
                          .policy = {},
                          .policy_path = arguments.policy_path,
                          .seed = parse_seed(arguments),
                          .as_lines = arguments.as_lines,
                          .format = arguments.json ? OutputFormat::json : OutputFormat::table,
                          .output_path = arguments.output_path,
                          .progress = arguments.progress};
  if (options.rank_count) {
    options.kills_per_job = parse("--kills-per-job", arguments.kills_per_job, 1,
                                  static_cast<std::uint64_t>(*options.rank_count) - 1)
                                .value_or(1);
  }
  if (arguments.policies) {
    const auto policies = parse_policies("--policy", *arguments.policies);
    refuse(policies.size() != 1, "--recovery is for one policy at a time");
    options.policy = policies.front();
  }
  return options;
}

SurvivorsOptions understand_survivors(const BenchArguments& arguments, bool is_in_job) {
  check_job(arguments, is_in_job);
  refuse(arguments.compare.has_value(), "--survivors has its own comparison: leave --compare out");
  refuse(arguments.busy || arguments.seed || arguments.kills_per_job,
         "--busy, --seed and --kills-per-job are for --recovery");
  refuse(arguments.buckets.has_value(), "--survivors and --buckets can't be had at once");
  refuse(arguments.transport.has_value(),
         "--survivors is for ranks that share memory: leave --transport out");
  SurvivorsOptions options{.rank_count = parse_rank_count(arguments, is_in_job),
                           .kill_count = survivors_kill_count,
                           .bench = understand(arguments)};
  refuse(options.bench.policies.size() > 1, "--survivors is for one policy at a time");
  const int most = options.rank_count.value_or(recovery_rank_count_max) - 1;
  options.kill_count = parse("--kills", arguments.kill_count, 1, static_cast<std::uint64_t>(most))
                           .value_or(std::min(survivors_kill_count, most));
  return options;
}

}  // namespace detour::tool
