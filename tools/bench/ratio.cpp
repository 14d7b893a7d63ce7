#include "bench/ratio.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "bench/statistics.hpp"

namespace detour::tool {
namespace {

constexpr std::size_t draw_count_min = 100;
constexpr std::size_t draw_count_max = 1000;
constexpr std::size_t drawn_value_count_max = 20'000'000;  // some hundred milliseconds
constexpr double allowed_small_difference_ns = 100;

double ratio_of_medians(std::vector<double> own_us, std::vector<double> other_us) {
  const double other = percentile(std::move(other_us), 0.5);
  return other > 0 ? percentile(std::move(own_us), 0.5) / other : 1;
}

// Long enough to hold what goes on for several rounds, and still many.
std::size_t run_length(std::size_t round_count) {
  std::size_t length = 1;
  while (length * length * length < round_count) ++length;
  return length;
}

}  // namespace

Ratio estimate_ratio(std::span<const double> own_us, std::span<const double> other_us) {
  const std::size_t round_count = own_us.size();
  const std::vector<double> own(own_us.begin(), own_us.end());
  const std::vector<double> other(other_us.begin(), other_us.end());
  const std::size_t draw_count =
      std::clamp(drawn_value_count_max / round_count, draw_count_min, draw_count_max);
  const std::size_t length = run_length(round_count);
  std::mt19937_64 random(1);
  std::vector<double> ratios;
  std::vector<double> drawn_own(round_count);
  std::vector<double> drawn_other(round_count);
  for (std::size_t draw = 0; draw < draw_count; ++draw) {
    std::size_t from = 0;
    for (std::size_t at = 0; at < round_count; ++at, from = (from + 1) % round_count) {
      if (at % length == 0) from = random() % round_count;
      drawn_own[at] = own[from];
      drawn_other[at] = other[from];
    }
    ratios.push_back(ratio_of_medians(drawn_own, drawn_other));
  }
  return {.ratio = ratio_of_medians(own, other),
          .low = percentile(ratios, 0.025),
          .high = percentile(ratios, 0.975),
          .difference_ns = (percentile(own, 0.5) - percentile(other, 0.5)) * 1e3};
}

std::string_view to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::reached:
      return "reached";
    case Verdict::missed:
      return "missed";
    case Verdict::unclear:
      return "unclear";
  }
  return "unknown";
}

Verdict judge(const Ratio& ratio, double allowed) {
  if (ratio.high <= allowed) return Verdict::reached;
  return ratio.low > allowed ? Verdict::missed : Verdict::unclear;
}

double in_place_traffic_ratio(int rank_count) {
  const double part = 1.0 / rank_count;
  return (3 + part) / (3 - part);
}

double allowed_fault_tolerance_ratio(std::uint64_t bytes, bool in_place, int rank_count) {
  if (bytes < small_message_bytes) return 1.10;
  return in_place ? 1.05 * in_place_traffic_ratio(rank_count) : 1.03;
}

Verdict judge_fault_tolerance(const Ratio& ratio, std::uint64_t bytes, bool in_place,
                              int rank_count) {
  if (bytes < small_message_bytes && ratio.difference_ns <= allowed_small_difference_ns) {
    return Verdict::reached;
  }
  return judge(ratio, allowed_fault_tolerance_ratio(bytes, in_place, rank_count));
}

}  // namespace detour::tool
