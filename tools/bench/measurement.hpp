// Measures all contestants at one message size, call by call in turn, or at a step of many messages, step by step.
//
// Whatever slows the machine down for a while so slows all of them, which is what makes their ratio worth
// something. The order is reversed from round to round, so that none always follows another, and before
// each call, or step, the ranks wait for each other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/bench_buffers.hpp"
#include "bench/bench_report.hpp"
#include "bench/contestant.hpp"
#include "bench/peers.hpp"
#include "bench/step.hpp"
#include "bench/validator.hpp"

namespace detour::tool {

struct RoundCounts {
  std::uint64_t warm_up = 0;
  std::uint64_t timed = 1;
  // If given, as many timed rounds as fit into it instead, as far as warming up can tell.
  std::optional<double> budget_s = std::nullopt;
};

// osu's habit: many rounds of short calls, few of long ones.
RoundCounts usual_round_counts(std::uint64_t bytes);

class Measurement {
 public:
  // `input` is this rank's, `result` what everybody has to get.
  Measurement(Peers& peers, BenchBuffers& buffers, const Pattern& input, const Pattern& result,
              bool validate);

  // Contestants that return an error are left out, with a note. Throws Defect, on all ranks, if any
  // result is wrong.
  SizeResult run(std::span<const Contestant> contestants, const Step& step,
                 const RoundCounts& rounds, std::vector<std::string>& notes);

 private:
  struct Lane;
  // As a contestant takes it.
  struct Message {
    const void* send;
    void* receive;
    int count;
  };

  void try_out(Lane& lane, std::vector<std::string>& notes);
  void play_round(std::vector<Lane>& lanes, std::uint64_t round, Thoroughness thoroughness);
  double call(Lane& lane, std::uint64_t round, Thoroughness thoroughness);
  void prepare(std::uint64_t round, Thoroughness thoroughness);
  int take_step(const Contestant& contestant) const;
  std::size_t first_element(const Extent& message, std::uint64_t round) const;
  void check(Lane& lane, std::uint64_t round, Thoroughness thoroughness);
  double warm_up(std::vector<Lane>& lanes, std::uint64_t round_count);
  std::uint64_t timed_round_count(const RoundCounts& rounds, double round_s);
  void stop_on_defect(const std::vector<Lane>& lanes);
  Latency summarise(Lane& lane);
  std::vector<std::optional<Ratio>> compare_with_twins(const std::vector<Lane>& lanes) const;

  Peers& peers_;
  BenchBuffers& buffers_;
  const Pattern& input_;
  Validator validator_;
  bool validate_;
  Step step_;
  std::vector<Message> messages_;  // of the round
};

}  // namespace detour::tool
