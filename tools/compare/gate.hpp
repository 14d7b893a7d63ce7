// Whether Detour is as fast as it should be: ratios to the best peer and to memory, and how the cost grows with ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compare/comparison.hpp"

namespace detour::tool {

enum class CheckKind {
  size,     // the best peer's time over Detour's, at one size
  mean,     // their geometric mean over all sizes
  limit,    // memory's time over Detour's, at one size
  scaling,  // time per rank of few ranks over that of many, at one size
};

struct Reach {
  double figure;
  bool is_of_exchange;
};

// One figure that has to be large enough.
struct Check {
  CheckKind kind = CheckKind::size;
  int rank_count = 0;
  Buffers buffers = Buffers::any;
  bool in_place = false;
  std::uint64_t bytes = 0;  // none for a mean
  double target = 1;
  Ratio found = {};
  // What a library would have reached that took no longer than the limit, or than an exchange of such buffers, where that was
  // measured.
  std::optional<Reach> reachable = {};

  // Missed only where even the lower bound of the confidence interval is off by more than 5 %.
  bool holds() const { return reaches(found.low); }
  // Missed, and not only by Detour.
  bool is_out_of_reach() const { return !holds() && reachable && !reaches(reachable->figure); }
  bool reaches(double figure) const { return figure >= 0.95 * target; }
};

// What the best peer's time over Detour's has to be at least.
double required_ratio(int rank_count, Buffers buffers, bool in_place, std::uint64_t bytes);
double required_mean(int rank_count, Buffers buffers, bool in_place);
// What memory's time over Detour's has to be at least, where anything is asked.
std::optional<double> required_share_of_limit(int rank_count, Buffers buffers, std::uint64_t bytes);
// What the time per rank of 2 ranks over that of 16 has to be at least, where anything is asked.
std::optional<double> required_scaling(std::uint64_t bytes);

// For all that was measured.
std::vector<Check> make_checks(std::span<const Comparison> comparisons);

// Tables of what holds and what misses, and in the end a line that says how many do.
std::string gate_text(std::span<const Check> checks);
// Nothing measured holds nothing.
bool gate_holds(std::span<const Check> checks);

}  // namespace detour::tool
