#include "bench/measurement.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "exit_status.hpp"
#include "format.hpp"

namespace detour::tool {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t budget_round_count_min = 5;
constexpr std::uint64_t budget_round_count_max = 1'000'000;

double us_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

}  // namespace

// One contestant at one size.
struct Measurement::Lane {
  const Contestant* contestant = nullptr;
  bool taking_part = true;
  std::string defect = {};              // the first one on this rank
  std::vector<double> us = {};          // of this rank's timed calls
  std::vector<double> slowest_us = {};  // of all ranks' together, in the end
};

RoundCounts usual_round_counts(std::uint64_t bytes) {
  if (bytes <= 8 << 10) return {.warm_up = 200, .timed = 1000};
  if (bytes <= 1 << 20) return {.warm_up = 20, .timed = 200};
  return {.warm_up = 5, .timed = 50};
}

Measurement::Measurement(Peers& peers, BenchBuffers& buffers, const Pattern& input,
                         const Pattern& result, bool validate)
    : peers_(peers),
      buffers_(buffers),
      input_(input),
      validator_(result, peers.rank()),
      validate_(validate) {
  input_.fill(buffers_.whole_send(), 0);
}

SizeResult Measurement::run(std::span<const Contestant> contestants, std::uint64_t bytes,
                            const RoundCounts& rounds, std::vector<std::string>& notes) {
  bytes_ = bytes;
  std::vector<Lane> lanes;
  for (const Contestant& contestant : contestants) lanes.push_back({.contestant = &contestant});
  for (Lane& lane : lanes) try_out(lane, notes);
  stop_on_defect(lanes);
  const double round_s = warm_up(lanes, rounds.warm_up);
  stop_on_defect(lanes);

  SizeResult result{.bytes = bytes, .iteration_count = timed_round_count(rounds, round_s)};
  for (Lane& lane : lanes) lane.us.reserve(result.iteration_count);
  for (std::uint64_t round = 0; round < result.iteration_count; ++round) {
    const bool last = round + 1 == result.iteration_count;
    play_round(lanes, round, last ? Thoroughness::whole : Thoroughness::sampled);
  }
  stop_on_defect(lanes);
  for (Lane& lane : lanes) {
    result.latencies.push_back(lane.taking_part ? std::optional(summarise(lane)) : std::nullopt);
  }
  result.to_twin = compare_with_twin(lanes);
  return result;
}

void Measurement::try_out(Lane& lane, std::vector<std::string>& notes) {
  prepare(0, Thoroughness::whole);
  const auto send = buffers_.send(bytes_, 0);
  const auto receive = buffers_.receive(bytes_);
  const int error = lane.contestant->call(send.data(), receive.data(),
                                          static_cast<int>(bytes_ / input_.type().bytes));
  const std::string own = error == 0 ? "" : lane.contestant->describe(error);
  const std::string complaint = peers_.first_complaint(own);
  if (complaint.empty()) return check(lane, 0, Thoroughness::whole);
  lane.taking_part = false;
  notes.push_back(lane.contestant->series.name + " is left out at " + size(bytes_) + ": " +
                  complaint);
}

void Measurement::play_round(std::vector<Lane>& lanes, std::uint64_t round,
                             Thoroughness thoroughness) {
  const std::size_t count = lanes.size();
  for (std::size_t turn = 0; turn < count; ++turn) {
    Lane& lane = lanes[round % 2 == 0 ? turn : count - 1 - turn];
    if (lane.taking_part) lane.us.push_back(call(lane, round, thoroughness));
  }
}

// Errors and wrong results are kept, not acted upon: one rank that stopped alone would leave the others
// waiting for it.
double Measurement::call(Lane& lane, std::uint64_t round, Thoroughness thoroughness) {
  prepare(round, thoroughness);
  const auto send = buffers_.send(bytes_, round % BenchBuffers::phase_count);
  const auto receive = buffers_.receive(bytes_);
  const int count = static_cast<int>(bytes_ / input_.type().bytes);
  peers_.synchronise();
  const auto start = Clock::now();
  const int error = lane.contestant->call(send.data(), receive.data(), count);
  const double us = us_since(start);
  if (error != 0 && lane.defect.empty()) {
    lane.defect = "rank " + std::to_string(peers_.rank()) + ": " + lane.contestant->describe(error);
  }
  check(lane, round, thoroughness);
  return us;
}

void Measurement::prepare(std::uint64_t round, Thoroughness thoroughness) {
  const auto receive = buffers_.receive(bytes_);
  if (buffers_.whole_send().empty()) {
    input_.fill(receive,
                round % BenchBuffers::phase_count * BenchBuffers::page_bytes / input_.type().bytes);
  } else if (validate_) {
    validator_.spoil(receive, thoroughness, round);
  }
}

void Measurement::check(Lane& lane, std::uint64_t round, Thoroughness thoroughness) {
  if (!validate_ || !lane.defect.empty()) return;
  const std::size_t first =
      round % BenchBuffers::phase_count * BenchBuffers::page_bytes / input_.type().bytes;
  const auto defect = validator_.find_defect(buffers_.receive(bytes_), first, thoroughness, round);
  if (defect) lane.defect = "wrong result: " + *defect;
}

// Gives the seconds that a round takes.
double Measurement::warm_up(std::vector<Lane>& lanes, std::uint64_t round_count) {
  const auto start = Clock::now();
  for (std::uint64_t round = 0; round < round_count; ++round) {
    play_round(lanes, round, Thoroughness::whole);
  }
  for (Lane& lane : lanes) lane.us.clear();
  return us_since(start) / 1e6 / static_cast<double>(std::max<std::uint64_t>(round_count, 1));
}

// The same on all ranks.
std::uint64_t Measurement::timed_round_count(const RoundCounts& rounds, double round_s) {
  if (!rounds.budget_s) return rounds.timed;
  const double slowest_s = std::max(peers_.maxima({round_s}).front(), 1e-9);
  const double fitting = std::min(*rounds.budget_s / slowest_s, 1e9);
  return std::clamp(static_cast<std::uint64_t>(fitting), budget_round_count_min,
                    budget_round_count_max);
}

void Measurement::stop_on_defect(const std::vector<Lane>& lanes) {
  for (const Lane& lane : lanes) {
    const std::string defect = peers_.first_complaint(lane.defect);
    if (defect.empty()) continue;
    throw Defect(lane.contestant->series.name + " at " + size(bytes_) + ": " + defect);
  }
}

Latency Measurement::summarise(Lane& lane) {
  const double own_mean = mean(lane.us);
  const auto highest = peers_.maxima({own_mean, -own_mean});
  lane.slowest_us = peers_.maxima(lane.us);
  return {.avg_us = peers_.sums({own_mean}).front() / peers_.count(),
          .min_us = -highest[1],
          .max_us = highest[0],
          .p50_us = percentile(lane.slowest_us, 0.5),
          .p99_us = percentile(lane.slowest_us, 0.99)};
}

// By the rank that reports: it is some work, and the others would do it at the same time.
std::optional<Ratio> Measurement::compare_with_twin(const std::vector<Lane>& lanes) const {
  const auto twin = std::ranges::find_if(lanes, [](const Lane& lane) {
    return lane.contestant->series.role == SeriesRole::twin && lane.taking_part;
  });
  if (peers_.rank() != 0 || twin == lanes.end() || !lanes.front().taking_part) return std::nullopt;
  return estimate_ratio(lanes.front().slowest_us, twin->slowest_us);
}

}  // namespace detour::tool
