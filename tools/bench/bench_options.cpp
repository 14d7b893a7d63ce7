#include "bench/bench_options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "bench/size_range.hpp"
#include "detour/routing/registry.hpp"
#include "exit_status.hpp"
#include "planning.hpp"
#include "settings.hpp"
#include "suggestion.hpp"

namespace detour::tool {
namespace {

constexpr std::uint64_t round_count_max = 100'000'000;

std::uint64_t parse_round_count(std::string_view option, std::string_view text,
                                std::uint64_t least) {
  return parse_whole_number(option, text, least, round_count_max);
}

// Which of two words it is.
bool is_second(std::string_view option, std::string_view text, std::string_view first,
               std::string_view second) {
  if (text == first || text == second) return text == second;
  throw BadInput(std::string(option) + " is " + std::string(first) + " or " + std::string(second) +
                 ", not '" + std::string(text) + "'");
}

std::vector<std::string> all_policies() {
  std::vector<std::string> names;
  for (const Policy* policy : PolicyRegistry::instance().all()) names.emplace_back(policy->name());
  return names;
}

std::vector<std::uint64_t> parse_sizes(const BenchArguments& arguments, const NumberType& type) {
  const auto sizes =
      whole_elements(parse_size_range("-m", arguments.sizes.value_or("4:64M")), type.bytes);
  check_element_count(sizes.back(), type);
  return sizes;
}

// Gives whether it is the twin.
bool parse_compare(const BenchArguments& arguments, const NumberType& type) {
  if (is_second("--compare", *arguments.compare, "mpi", "noft")) return true;
  if (type.is_narrow_float()) {
    throw BadInput("MPI has no " + std::string(type.name) + ": leave --compare out");
  }
  return false;
}

// The library would say so too, but on every rank.
std::optional<std::string> parse_transport(const BenchArguments& arguments) {
  if (!arguments.transport) return std::nullopt;
  const std::string setting = "DETOUR_TRANSPORT=" + *arguments.transport;
  const char* const environment[] = {setting.c_str(), nullptr};
  const auto settings = read_settings(environment);
  if (!settings.ok()) throw BadInput("--transport: " + settings.reason());
  return arguments.transport;
}

void check_combinations(const BenchArguments& arguments) {
  const auto refuse = [](bool contradiction, const char* words) {
    if (contradiction) throw BadInput(words);
  };
  refuse(arguments.csv && arguments.json, "--csv and --json can't be had at once");
  refuse(arguments.iterations && arguments.time_s, "-i and --time can't be had at once");
  refuse(arguments.svg_path == "-" && (arguments.csv || arguments.json) && !arguments.output_path,
         "--svg - takes standard output for itself: send the rest to a file with -o");
  refuse(!arguments.survivors && (arguments.rank_count || arguments.kill_count ||
                                  arguments.kills_per_job || arguments.busy),
         "--ranks, --kills, --kills-per-job and --busy are for --recovery and --survivors");
  refuse(arguments.seed && !arguments.buckets, "--seed is for --recovery and --buckets");
  refuse(arguments.compute_us && !arguments.buckets, "--compute-us is for --buckets");
  refuse(arguments.plot && !arguments.svg_path, "--plot needs --svg");
  refuse(arguments.limit_gbs && !arguments.svg_path && !arguments.json,
         "--limit-gbs is shown by --svg and --json only");
}

OutputFormat format_of(const BenchArguments& arguments) {
  if (arguments.csv) return OutputFormat::csv;
  return arguments.json ? OutputFormat::json : OutputFormat::table;
}

}  // namespace

void check_element_count(std::uint64_t bytes, const NumberType& type) {
  // MPI counts elements with an int.
  constexpr auto count_max = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
  if (bytes / type.bytes <= count_max) return;
  throw BadInput("-m: " + std::to_string(bytes) + " bytes are more than the " +
                 std::to_string(count_max) + " elements of " + std::string(type.name) +
                 " that a call can take");
}

std::uint64_t parse_whole_number(std::string_view option, std::string_view text,
                                 std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), text_end, number);
  if (error == std::errc() && end == text_end && number >= least && number <= most) return number;
  throw BadInput(std::string(option) + " is a whole number from " + std::to_string(least) + " to " +
                 std::to_string(most) + ", not '" + std::string(text) + "'");
}

double parse_positive(std::string_view option, std::string_view text) {
  double figure = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), text_end, figure);
  if (error == std::errc() && end == text_end && std::isfinite(figure) && figure > 0) return figure;
  throw BadInput(std::string(option) + " has to be a finite number, more than zero, not '" +
                 std::string(text) + "'");
}

std::uint64_t parse_seed(const BenchArguments& arguments) {
  return arguments.seed ? parse_whole_number("--seed", *arguments.seed, 0, 1'000'000'000) : 1;
}

std::vector<std::string> parse_policies(std::string_view option, std::string_view text) {
  if (text == "all") return all_policies();
  std::vector<std::string> names;
  while (true) {
    const auto comma = text.find(',');
    std::string name(find_policy(text.substr(0, comma)).name());
    if (std::ranges::find(names, name) != names.end()) {
      throw BadInput(std::string(option) + " names '" + name + "' twice");
    }
    names.push_back(std::move(name));
    if (comma == std::string_view::npos) return names;
    text.remove_prefix(comma + 1);
  }
}

BenchOptions understand(const BenchArguments& arguments) {
  check_combinations(arguments);
  const NumberType& type = find_number_type(arguments.type.value_or("float"));
  BenchOptions options{.sizes_bytes = {},
                       .buckets = {},
                       .timed_rounds = {},
                       .warm_up_rounds = {},
                       .budget_s = {},
                       .type = type,
                       .operation = find_operation(arguments.operation.value_or("sum")),
                       .policies = {},
                       .transport = parse_transport(arguments),
                       .in_place = arguments.in_place,
                       .validate = !arguments.no_validate,
                       .format = format_of(arguments),
                       .output_path = arguments.output_path,
                       .svg_path = arguments.svg_path,
                       .limit_gbs = {},
                       .progress = arguments.progress};
  check_operation(type, options.operation);
  if (arguments.buckets) {
    options.buckets = understand_buckets(arguments, type);
  } else {
    options.sizes_bytes = parse_sizes(arguments, type);
  }
  if (arguments.iterations)
    options.timed_rounds = parse_round_count("-i", *arguments.iterations, 1);
  if (arguments.warm_up) options.warm_up_rounds = parse_round_count("-x", *arguments.warm_up, 0);
  if (arguments.time_s) options.budget_s = parse_positive("--time", *arguments.time_s);
  if (arguments.limit_gbs) options.limit_gbs = parse_positive("--limit-gbs", *arguments.limit_gbs);
  if (arguments.policies) options.policies = parse_policies("--policy", *arguments.policies);
  if (arguments.compare) {
    options.with_twin = parse_compare(arguments, type);
    options.with_mpi = !options.with_twin;
  }
  if (options.with_twin && options.policies.size() > 1) {
    throw BadInput("--compare noft is for one policy at a time");
  }
  if (is_second("--plot", arguments.plot.value_or("latency"), "latency", "bandwidth")) {
    options.plot = PlotKind::bandwidth;
  }
  options.memory_from_detour =
      is_second("--alloc", arguments.memory.value_or("malloc"), "malloc", "detour");
  return options;
}

}  // namespace detour::tool
