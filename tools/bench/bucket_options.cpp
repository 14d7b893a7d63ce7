#include "bench/bucket_options.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "bench/bench_options.hpp"
#include "exit_status.hpp"

namespace detour::tool {
namespace {

constexpr const char* usual_bounds = "1M:25M";
constexpr std::uint64_t bucket_count_max = 10'000;
constexpr std::uint64_t compute_us_max = 10'000'000;
constexpr std::uint64_t divisor_max = 1024;

void check_bucket_combinations(const BenchArguments& arguments) {
  const auto refuse = [](bool given, const char* option) {
    if (given) throw BadInput("--buckets and " + std::string(option) + " can't be had at once");
  };
  refuse(arguments.svg_path.has_value(), "--svg");
  refuse(arguments.compare == "noft", "--compare noft");
}

std::vector<std::uint64_t> draw_sizes(const BucketOptions& options) {
  std::mt19937_64 random(options.seed);
  const std::uint64_t span = options.bounds.to_bytes - options.bounds.from_bytes + 1;
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t index = 0; index < options.count; ++index) {
    sizes.push_back(options.bounds.from_bytes + random() % span);
  }
  return sizes;
}

std::vector<std::uint64_t> divided(const std::vector<std::uint64_t>& sizes_bytes,
                                   std::uint64_t divisor, std::size_t element_bytes) {
  std::vector<std::uint64_t> sizes;
  for (const std::uint64_t bytes : sizes_bytes) {
    sizes.push_back(
        rounded_to_elements(std::max<std::uint64_t>(bytes / divisor, 1), element_bytes));
  }
  return sizes;
}

}  // namespace

BucketOptions understand_buckets(const BenchArguments& arguments, const NumberType& type) {
  check_bucket_combinations(arguments);
  BucketOptions options{
      .count = parse_whole_number("--buckets", *arguments.buckets, 1, bucket_count_max),
      .bounds = parse_size_bounds("-m", arguments.sizes.value_or(usual_bounds)),
      .may_shrink = !arguments.sizes,
      .seed = parse_seed(arguments)};
  check_element_count(rounded_to_elements(options.bounds.to_bytes, type.bytes), type);
  if (arguments.compute_us) {
    options.compute_us =
        parse_whole_number("--compute-us", *arguments.compute_us, 0, compute_us_max);
  }
  return options;
}

BucketSizes choose_bucket_sizes(const BucketOptions& options, std::size_t element_bytes,
                                std::uint64_t total_bytes_max) {
  const auto drawn = draw_sizes(options);
  BucketSizes sizes;
  while (true) {
    sizes.bytes = divided(drawn, sizes.divisor, element_bytes);
    const auto total = std::accumulate(sizes.bytes.begin(), sizes.bytes.end(), std::uint64_t{0});
    if (total <= total_bytes_max || !options.may_shrink || sizes.divisor == divisor_max) {
      return sizes;
    }
    sizes.divisor *= 2;
  }
}

}  // namespace detour::tool
