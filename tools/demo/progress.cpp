#include "demo/progress.hpp"

#include <algorithm>
#include <utility>

namespace detour::demo {

Progress::Progress(int rank_count, int step_count, std::vector<Kill> kills)
    : rank_count_(rank_count),
      step_count_(step_count),
      kills_(std::move(kills)),
      ranks_(static_cast<std::size_t>(rank_count)) {}

void Progress::hear(int rank, const RankLine& line, double seconds) {
  RankState& state = of(rank);
  if (const auto* started = std::get_if<Started>(&line)) state.pid = started->pid;
  if (const auto* ended = std::get_if<Ended>(&line)) state.end = *ended;
  if (const auto* stepped = std::get_if<Stepped>(&line)) take_step(state, *stepped, seconds);
}

void Progress::take_step(RankState& state, const Stepped& facts, double seconds) {
  if (facts.step != state.step + 1) {
    has_contradiction_ = true;
    return;
  }
  state.step = facts.step;
  if (facts.step == last_step() + 1) {
    steps_.push_back({seconds, facts});
    note_who_is_missing(steps_.back());
    return;
  }
  const Stepped& first = steps_[static_cast<std::size_t>(facts.step) - 1].facts;
  if (facts.loss != first.loss || facts.rank_count != first.rank_count) has_contradiction_ = true;
}

// Contributors of a sum are never more than there were of the one before, so the number of them
// says whose death the others have dealt with.
void Progress::note_who_is_missing(const StepRecord& record) {
  const auto missing_count = static_cast<std::size_t>(rank_count_ - record.facts.rank_count);
  for (std::size_t i = 0; i < std::min(missing_count, deaths_.size()); ++i) {
    Death& death = deaths_[i];
    if (!death.silence_seconds) death.silence_seconds = record.seconds - death.seconds;
  }
}

void Progress::hear_log_closed(int rank, double seconds) {
  if (!of(rank).end && death_of(rank) == nullptr) add_death(rank, seconds);
}

Death& Progress::add_death(int rank, double seconds) {
  Death& death = deaths_.emplace_back();
  death.rank = rank;
  death.step = last_step();
  death.seconds = seconds;
  death.survivor_count = alive_count();
  return death;
}

std::vector<Victim> Progress::take_victims(double seconds) {
  std::vector<Victim> victims;
  for (const Kill& kill : kills_) {
    const RankState& state = of(kill.rank);
    if (last_step() < kill.step || state.pid == 0 || death_of(kill.rank) != nullptr) continue;
    victims.push_back({kill.rank, state.pid});
    add_death(kill.rank, seconds).is_killed = true;
  }
  return victims;
}

std::vector<int> Progress::dead_ranks() const {
  std::vector<int> ranks;
  for (const Death& death : deaths_) ranks.push_back(death.rank);
  return ranks;
}

const Death* Progress::death_of(int rank) const {
  const auto found = std::find_if(deaths_.begin(), deaths_.end(),
                                  [&](const Death& death) { return death.rank == rank; });
  return found == deaths_.end() ? nullptr : &*found;
}

double Progress::bytes_per_second() const {
  constexpr double span_seconds = 1;
  if (steps_.empty()) return 0;
  const double begin_seconds = steps_.back().seconds - span_seconds;
  int begin = last_step();
  while (begin > 1 && steps_[static_cast<std::size_t>(begin) - 1].seconds > begin_seconds) --begin;
  return bytes_per_second(begin, last_step());
}

double Progress::bytes_per_second(int begin, int end) const {
  double bytes = 0;
  for (int step = begin + 1; step <= end; ++step) {
    const Stepped& facts = steps_.at(static_cast<std::size_t>(step) - 1).facts;
    bytes += static_cast<double>(facts.bytes) * facts.rank_count;
  }
  const double seconds = steps_.at(static_cast<std::size_t>(end) - 1).seconds -
                         steps_.at(static_cast<std::size_t>(begin) - 1).seconds;
  return seconds > 0 ? bytes / seconds : 0;
}

}  // namespace detour::demo
