#include "compare/gate.hpp"

#include <algorithm>

#include "alternation/median_ratio.hpp"

namespace detour::tool {
namespace {

constexpr std::uint64_t mib = 1 << 20;
constexpr std::uint64_t limit_target_bytes_min = 4 * mib;

const Comparison* find_comparison(std::span<const Comparison> comparisons, int rank_count,
                                  bool in_place) {
  const auto found = std::ranges::find_if(comparisons, [&](const Comparison& one) {
    return one.rank_count == rank_count && one.in_place == in_place;
  });
  return found == comparisons.end() ? nullptr : &*found;
}

std::optional<double> figure_of(const std::optional<Ratio>& ratio) {
  return ratio ? std::optional(ratio->ratio) : std::nullopt;
}

// An exchange is nearer to what can be done, so it is what is shown, unless only the limit says that nothing can.
void set_reach(Check& check, std::optional<double> of_limit, std::optional<double> of_exchange) {
  if (of_limit && (!of_exchange || (!check.reaches(*of_limit) && check.reaches(*of_exchange)))) {
    check.reachable = {.figure = *of_limit, .is_of_exchange = false};
  } else if (of_exchange) {
    check.reachable = {.figure = *of_exchange, .is_of_exchange = true};
  }
}

// Of all sizes; nothing if it is not known of all.
std::optional<double> mean_of_all(std::span<const Ratio> ratios, std::size_t size_count) {
  if (ratios.size() < size_count) return std::nullopt;
  return geometric_mean(ratios).ratio;
}

void add_peer_checks(std::vector<Check>& checks, const Comparison& comparison, Buffers buffers) {
  const Check common{
      .rank_count = comparison.rank_count, .buffers = buffers, .in_place = comparison.in_place};
  std::vector<Ratio> ratios;
  std::vector<Ratio> of_limit;
  std::vector<Ratio> of_exchange;  // or of the limit, where there was none
  bool has_exchange = false;
  for (const ComparedSize& size : comparison.sizes) {
    const Standing* const standing = find_standing(size, buffers);
    if (standing == nullptr || !standing->to_best_peer) continue;
    Check check = common;
    check.kind = CheckKind::size;
    check.bytes = size.bytes;
    check.target = required_ratio(comparison.rank_count, buffers, comparison.in_place, size.bytes);
    check.found = *standing->to_best_peer;
    const auto& limit = size.best_peer_to_limit;
    const auto& exchange = standing->best_peer_to_exchange;
    set_reach(check, figure_of(limit), figure_of(exchange));
    if (limit) of_limit.push_back(*limit);
    if (exchange || limit) of_exchange.push_back(exchange ? *exchange : *limit);
    has_exchange |= exchange.has_value();
    checks.push_back(check);
    ratios.push_back(check.found);
  }
  if (ratios.empty()) return;
  Check mean = common;
  mean.kind = CheckKind::mean;
  mean.target = required_mean(comparison.rank_count, buffers, comparison.in_place);
  mean.found = geometric_mean(ratios);
  set_reach(mean, mean_of_all(of_limit, ratios.size()),
            has_exchange ? mean_of_all(of_exchange, ratios.size()) : std::nullopt);
  checks.push_back(mean);
}

void add_limit_checks(std::vector<Check>& checks, const Comparison& comparison, Buffers buffers) {
  for (const ComparedSize& size : comparison.sizes) {
    const auto target = required_share_of_limit(comparison.rank_count, buffers, size.bytes);
    const Standing* const standing = find_standing(size, buffers);
    if (!target || standing == nullptr || !standing->to_limit) continue;
    Check check{.kind = CheckKind::limit,
                .rank_count = comparison.rank_count,
                .buffers = buffers,
                .in_place = comparison.in_place,
                .bytes = size.bytes,
                .target = *target,
                .found = *standing->to_limit};
    set_reach(check, std::nullopt, figure_of(standing->limit_to_exchange));
    checks.push_back(check);
  }
}

// The time per rank of few ranks over that of many.
Ratio per_rank(const Median& of_few, int few_count, const Median& of_many, int many_count) {
  Ratio ratio = ratio_of(of_few, of_many);
  for (double* const figure : {&ratio.ratio, &ratio.low, &ratio.high}) {
    *figure *= static_cast<double>(many_count) / few_count;
  }
  return ratio;
}

std::optional<double> growth_of(Role role, Buffers buffers, const Comparison& few,
                                const ComparedSize& of_few, const Comparison& many,
                                const ComparedSize& of_many) {
  const auto fastest_of_few = fastest(few, of_few, role, buffers);
  const auto fastest_of_many = fastest(many, of_many, role, buffers);
  if (!fastest_of_few || !fastest_of_many) return std::nullopt;
  return per_rank(*of_few.medians[*fastest_of_few], few.rank_count,
                  *of_many.medians[*fastest_of_many], many.rank_count)
      .ratio;
}

void add_scaling_checks(std::vector<Check>& checks, const Comparison& few, const Comparison& many,
                        Buffers buffers) {
  for (const ComparedSize& size : many.sizes) {
    const auto target = required_scaling(size.bytes);
    const auto same_size = std::ranges::find(few.sizes, size.bytes, &ComparedSize::bytes);
    if (!target || same_size == few.sizes.end()) continue;
    const auto of_few = detour_median(few, *same_size, buffers);
    const auto of_many = detour_median(many, size, buffers);
    if (!of_few || !of_many) continue;
    Check check{.kind = CheckKind::scaling,
                .rank_count = many.rank_count,
                .buffers = buffers,
                .in_place = many.in_place,
                .bytes = size.bytes,
                .target = *target,
                .found = per_rank(*of_few, few.rank_count, *of_many, many.rank_count)};
    set_reach(check, growth_of(Role::limit, Buffers::any, few, *same_size, many, size),
              growth_of(Role::exchange, buffers, few, *same_size, many, size));
    checks.push_back(check);
  }
}

}  // namespace

double required_ratio(int rank_count, Buffers buffers, bool in_place, std::uint64_t bytes) {
  if (buffers == Buffers::shared) return 2.0;
  if (rank_count > 2) return bytes <= 256 ? 1.0 : 1.5;
  if (bytes <= 1024) return 1.0;
  return in_place ? 1.15 : 1.3;
}

double required_mean(int rank_count, Buffers buffers, bool in_place) {
  if (buffers == Buffers::shared) return 3.0;
  if (rank_count > 2) return 2.2;
  return in_place ? 1.4 : 1.7;
}

std::optional<double> required_share_of_limit(int rank_count, Buffers buffers,
                                              std::uint64_t bytes) {
  if (bytes < limit_target_bytes_min) return std::nullopt;
  if (buffers == Buffers::shared) return 1 / 1.6;
  if (rank_count == 2) return 1 / 1.8;
  return std::nullopt;
}

std::optional<double> required_scaling(std::uint64_t bytes) {
  if (bytes == 16 * mib || bytes == 64 * mib) return 1 / 1.3;
  return std::nullopt;
}

std::vector<Check> make_checks(std::span<const Comparison> comparisons) {
  std::vector<Check> checks;
  for (const Comparison& comparison : comparisons) {
    if (comparison.rank_count < 2) continue;
    for (const Buffers buffers : {Buffers::any, Buffers::shared}) {
      add_peer_checks(checks, comparison, buffers);
      add_limit_checks(checks, comparison, buffers);
    }
  }
  for (const bool in_place : {false, true}) {
    const Comparison* const few = find_comparison(comparisons, 2, in_place);
    const Comparison* const many = find_comparison(comparisons, 16, in_place);
    if (few == nullptr || many == nullptr) continue;
    for (const Buffers buffers : {Buffers::any, Buffers::shared}) {
      add_scaling_checks(checks, *few, *many, buffers);
    }
  }
  return checks;
}

bool gate_holds(std::span<const Check> checks) {
  return !checks.empty() && std::ranges::all_of(checks, &Check::holds);
}

}  // namespace detour::tool
