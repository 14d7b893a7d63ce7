#include "alternation/median_ratio.hpp"

#include <cmath>

namespace detour::tool {
namespace {

constexpr double interval_errors =
    2 * 1.96;  // from one end of a 95 % interval to the other, in standard errors

double standard_error_of_logarithm(double low, double high) {
  return low > 0 && high >= low ? std::log(high / low) / interval_errors : 0;
}

Ratio around(double logarithm, double standard_error) {
  const double half = interval_errors / 2 * standard_error;
  return {.ratio = std::exp(logarithm),
          .low = std::exp(logarithm - half),
          .high = std::exp(logarithm + half)};
}

}  // namespace

Ratio geometric_mean(std::span<const Ratio> ratios) {
  double logarithms = 0;
  double variances = 0;
  for (const Ratio& ratio : ratios) {
    logarithms += std::log(ratio.ratio);
    variances += std::pow(standard_error_of_logarithm(ratio.low, ratio.high), 2);
  }
  const auto count = static_cast<double>(ratios.size());
  return around(logarithms / count, std::sqrt(variances) / count);
}

Ratio ratio_of(const Median& above, const Median& below) {
  return around(std::log(above.us / below.us),
                std::hypot(standard_error_of_logarithm(above.low_us, above.high_us),
                           standard_error_of_logarithm(below.low_us, below.high_us)));
}

}  // namespace detour::tool
