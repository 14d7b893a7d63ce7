#include "bench/measurement.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bench/computing.hpp"
#include "exit_status.hpp"

namespace detour::tool {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t budget_round_count_min = 5;
constexpr std::uint64_t budget_round_count_max = 1'000'000;

std::size_t phase_of(std::uint64_t round) {
  return round % BenchBuffers::phase_count;
}

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
  if (bytes <= 256 << 20) return {.warm_up = 5, .timed = 50};
  return {.warm_up = 2, .timed = 20};
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

SizeResult Measurement::run(std::span<const Contestant> contestants, const Step& step,
                            const RoundCounts& rounds, std::vector<std::string>& notes) {
  step_ = step;
  std::vector<Lane> lanes;
  for (const Contestant& contestant : contestants) lanes.push_back({.contestant = &contestant});
  for (Lane& lane : lanes) try_out(lane, notes);
  stop_on_defect(lanes);
  const double round_s = warm_up(lanes, rounds.warm_up);
  stop_on_defect(lanes);

  SizeResult result{.bytes = step.bytes(), .iteration_count = timed_round_count(rounds, round_s)};
  for (Lane& lane : lanes) lane.us.reserve(result.iteration_count);
  for (std::uint64_t round = 0; round < result.iteration_count; ++round) {
    const bool last = round + 1 == result.iteration_count;
    play_round(lanes, round, last ? Thoroughness::whole : Thoroughness::sampled);
  }
  stop_on_defect(lanes);
  for (Lane& lane : lanes) {
    result.latencies.push_back(lane.taking_part ? std::optional(summarise(lane)) : std::nullopt);
  }
  result.to_twin = compare_with_twins(lanes);
  return result;
}

void Measurement::try_out(Lane& lane, std::vector<std::string>& notes) {
  prepare(0, Thoroughness::whole);
  const int error = take_step(*lane.contestant);
  const std::string own = error == 0 ? "" : lane.contestant->describe(error);
  const std::string complaint = peers_.first_complaint(own);
  if (complaint.empty()) return check(lane, 0, Thoroughness::whole);
  lane.taking_part = false;
  notes.push_back(lane.contestant->series.text() + " is left out " + step_.text() + ": " +
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
  peers_.synchronise();
  const auto start = Clock::now();
  const int error = take_step(*lane.contestant);
  const double us = us_since(start);
  if (error != 0 && lane.defect.empty()) {
    lane.defect = "rank " + std::to_string(peers_.rank()) + ": " + lane.contestant->describe(error);
  }
  check(lane, round, thoroughness);
  return us;
}

// Whatever can be known before is done here, for it is not timed.
void Measurement::prepare(std::uint64_t round, Thoroughness thoroughness) {
  messages_.clear();
  for (const Extent& message : step_.messages) {
    const auto receive = buffers_.receive(message);
    if (buffers_.whole_send().empty()) {
      input_.fill(receive, first_element(message, round));
    } else if (validate_) {
      validator_.spoil(receive, thoroughness, round);
    }
    messages_.push_back({.send = buffers_.send(message, phase_of(round)).data(),
                         .receive = receive.data(),
                         .count = static_cast<int>(message.bytes / input_.type().bytes)});
  }
}

// Gives the first error. All messages are handed over all the same: so they are on other ranks, which may know of none.
int Measurement::take_step(const Contestant& contestant) const {
  int error = 0;
  for (const Message& message : messages_) {
    if (step_.compute_us > 0) spend_processor_time(step_.compute_us);
    const int own = contestant.call(message.send, message.receive, message.count);
    if (error == 0) error = own;
  }
  if (!contestant.finish) return error;
  const int own = contestant.finish();
  return error == 0 ? own : error;
}

// Of the pattern, that the message has as its input.
std::size_t Measurement::first_element(const Extent& message, std::uint64_t round) const {
  return BenchBuffers::input_offset_bytes(message, phase_of(round)) / input_.type().bytes;
}

void Measurement::check(Lane& lane, std::uint64_t round, Thoroughness thoroughness) {
  if (!validate_ || !lane.defect.empty()) return;
  for (std::size_t index = 0; index < step_.messages.size(); ++index) {
    const Extent& message = step_.messages[index];
    const auto defect = validator_.find_defect(buffers_.receive(message),
                                               first_element(message, round), thoroughness, round);
    if (!defect) continue;
    const bool is_bucket = step_.messages.size() > 1;
    lane.defect =
        "wrong result: " + (is_bucket ? "bucket " + std::to_string(index) + ", " : "") + *defect;
    return;
  }
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
    throw Defect(lane.contestant->series.text() + " " + step_.text() + ": " + defect);
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
std::vector<std::optional<Ratio>> Measurement::compare_with_twins(
    const std::vector<Lane>& lanes) const {
  std::vector<std::optional<Ratio>> ratios(lanes.size());
  if (peers_.rank() != 0) return ratios;
  std::vector<SeriesName> series;
  for (const Lane& lane : lanes) series.push_back(lane.contestant->series);
  for (std::size_t index = 0; index < lanes.size(); ++index) {
    const auto twin = twin_of(series, index);
    if (!twin || !lanes[index].taking_part || !lanes[*twin].taking_part) continue;
    ratios[index] = estimate_ratio(lanes[index].slowest_us, lanes[*twin].slowest_us);
  }
  return ratios;
}

}  // namespace detour::tool
