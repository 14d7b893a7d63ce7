// How many times as long one call takes as another that was measured with it, and whether that is good enough.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace detour::tool {

// Of medians. The bounds are those of a 95 % confidence interval.
struct Ratio {
  double ratio = 1;
  double low = 1;
  double high = 1;
  double difference_ns = 0;
};

// Of calls made in turn: both lists have an element per round, in order. Rounds are drawn again, in runs of
// neighbours, since whatever slows the machine down lasts for more than one (block bootstrap). The same lists give the
// same figures. Not of nothing.
Ratio estimate_ratio(std::span<const double> own_us, std::span<const double> other_us);

enum class Verdict { reached, missed, unclear };
std::string_view to_text(Verdict verdict);

// What fault tolerance may cost: 3 % from 64 KiB on, in place 5 % more than memory has to move for it; below
// that 10 %, or 100 ns.
double allowed_fault_tolerance_ratio(std::uint64_t bytes, bool in_place, int rank_count);
Verdict judge_fault_tolerance(const Ratio& ratio, std::uint64_t bytes, bool in_place,
                              int rank_count);

// What survivors may be slower than as many ranks that never lost one.
inline constexpr double allowed_survivors_ratio = 1.05;

// Reached or missed only if the whole interval says so.
Verdict judge(const Ratio& ratio, double allowed);

// What it costs at least to keep the input of an operation in place until its result is there: each of n ranks
// moves 3 + 1/n payloads through memory instead of 3 - 1/n.
double in_place_traffic_ratio(int rank_count);

inline constexpr std::uint64_t small_message_bytes = 64 << 10;

}  // namespace detour::tool
