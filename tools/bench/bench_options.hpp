// What `detour bench` is asked to do, as typed and as understood.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bucket_options.hpp"
#include "bench/number_type.hpp"
#include "bench/plot_svg.hpp"

namespace detour::tool {

struct BenchArguments {
  std::optional<std::string> sizes = {};
  std::optional<std::string> iterations = {};
  std::optional<std::string> warm_up = {};
  std::optional<std::string> time_s = {};
  std::optional<std::string> type = {};
  std::optional<std::string> operation = {};
  std::optional<std::string> compare = {};
  std::optional<std::string> policies = {};
  std::optional<std::string> policy_path = {};
  std::optional<std::string> transport = {};
  std::optional<std::string> memory = {};
  std::optional<std::string> output_path = {};
  std::optional<std::string> svg_path = {};
  std::optional<std::string> plot = {};
  std::optional<std::string> limit_gbs = {};
  std::optional<std::string> rank_count = {};
  std::optional<std::string> kill_count = {};
  std::optional<std::string> kills_per_job = {};
  std::optional<std::string> busy = {};
  std::optional<std::string> seed = {};
  std::optional<std::string> buckets = {};
  std::optional<std::string> compute_us = {};
  bool in_place = false;
  bool no_validate = false;
  bool csv = false;
  bool json = false;
  bool progress = false;
  bool recovery = false;
  bool survivors = false;
  bool as_lines = false;
};

enum class OutputFormat { table, csv, json };

struct BenchOptions {
  std::vector<std::uint64_t> sizes_bytes;  // none if there are buckets
  std::optional<BucketOptions> buckets;
  std::optional<std::uint64_t> timed_rounds;
  std::optional<std::uint64_t> warm_up_rounds;
  std::optional<double> budget_s;
  NumberType type;
  Operation operation;
  bool with_mpi = false;
  bool with_twin = false;             // without fault tolerance
  std::vector<std::string> policies;  // none: the library chooses
  std::optional<std::string> transport;
  bool in_place = false;
  bool validate = true;
  bool memory_from_detour = false;
  OutputFormat format = OutputFormat::table;
  std::optional<std::string> output_path;  // none: standard output
  std::optional<std::string> svg_path;
  PlotKind plot = PlotKind::latency;
  std::optional<double> limit_gbs;
  bool progress = false;

  bool svg_to_stdout() const { return svg_path == "-"; }
  bool wants_limit() const { return svg_path || format == OutputFormat::json; }
};

// Throws BadInput. Policies are looked up: plug-ins have to be loaded already.
BenchOptions understand(const BenchArguments& arguments);

// These throw BadInput.
void check_element_count(std::uint64_t bytes, const NumberType& type);
double parse_positive(std::string_view option, std::string_view text);
std::uint64_t parse_whole_number(std::string_view option, std::string_view text,
                                 std::uint64_t least, std::uint64_t most);
std::uint64_t parse_seed(const BenchArguments& arguments);
// "all", or names separated by commas.
std::vector<std::string> parse_policies(std::string_view option, std::string_view text);

}  // namespace detour::tool
