// What is known of the job: put together from what its ranks write, and from who stopped writing.
// No I/O and no clock: times are passed in, in seconds since the job was started.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "demo/rank_line.hpp"

namespace detour::demo {

struct Kill {
  int rank = 0;
  int step = 0;  // when the first rank has done this one
  bool operator==(const Kill&) const = default;
};

struct Victim {
  int rank = 0;
  pid_t pid = 0;
};

// A step, as the first rank that told of it did.
struct StepRecord {
  double seconds = 0;
  Stepped facts;
};

struct Death {
  int rank = 0;
  int step = 0;  // the last one that anybody had done by then
  double seconds = 0;
  int survivor_count = 0;
  bool is_killed = false;                 // by us
  std::optional<double> silence_seconds;  // until the first step without it
};

class Progress {
 public:
  Progress(int rank_count, int step_count, std::vector<Kill> kills);

  void hear(int rank, const RankLine& line, double seconds);
  void hear_log_closed(int rank, double seconds);

  // Those whose step has come, each of them once. They count as killed from now on.
  std::vector<Victim> take_victims(double seconds);

  int rank_count() const { return rank_count_; }
  int step_count() const { return step_count_; }
  const std::vector<Kill>& kills() const { return kills_; }

  // The first is step 1.
  const std::vector<StepRecord>& steps() const { return steps_; }
  int last_step() const { return static_cast<int>(steps_.size()); }

  const std::vector<Death>& deaths() const { return deaths_; }
  int alive_count() const { return rank_count_ - static_cast<int>(deaths_.size()); }
  std::vector<int> dead_ranks() const;  // in the order of their deaths
  const Death* death_of(int rank) const;
  const std::optional<Ended>& end_of(int rank) const { return of(rank).end; }

  // Two ranks have told different losses of one step, or a rank has left steps out.
  bool has_contradiction() const { return has_contradiction_; }

  // Bytes that ranks have put into sums, per second of the last one.
  double bytes_per_second() const;
  // From the end of step `begin` to that of step `end`.
  double bytes_per_second(int begin, int end) const;

 private:
  struct RankState {
    pid_t pid = 0;
    int step = 0;
    std::optional<Ended> end;
  };

  RankState& of(int rank) { return ranks_.at(static_cast<std::size_t>(rank)); }
  const RankState& of(int rank) const { return ranks_.at(static_cast<std::size_t>(rank)); }
  void take_step(RankState& state, const Stepped& facts, double seconds);
  void note_who_is_missing(const StepRecord& record);
  Death& add_death(int rank, double seconds);

  int rank_count_;
  int step_count_;
  std::vector<Kill> kills_;
  std::vector<RankState> ranks_;
  std::vector<StepRecord> steps_;
  std::vector<Death> deaths_;
  bool has_contradiction_ = false;
};

}  // namespace detour::demo
