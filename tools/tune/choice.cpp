#include "tune/choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "alternation/median_ratio.hpp"
#include "tune/built_in_way.hpp"

namespace detour::tool {
namespace {

// The fastest of a dozen owes something to luck, which the interval of a single one knows nothing of.
constexpr double least_gain = 1.02;

bool is_measured(const WayTimes& times) {
  return times.out_of_place && times.in_place;
}

// Not set aside after a trial.
bool is_in_the_running(const WayTimes& times) {
  return is_measured(times) && !times.out_of_place->of_trial && !times.in_place->of_trial;
}

double mean_us(const WayTimes& times) {
  return std::sqrt(times.out_of_place->us * times.in_place->us);
}

const WayTimes* find(const std::vector<WayTimes>& all, const Way& way) {
  const auto found = std::ranges::find(all, way, &WayTimes::way);
  return found == all.end() || !is_measured(*found) ? nullptr : &*found;
}

// How much longer `slower` takes.
Ratio gain_over(const WayTimes& slower, const WayTimes& faster) {
  return geometric_mean(std::array{ratio_of(*slower.out_of_place, *faster.out_of_place),
                                   ratio_of(*slower.in_place, *faster.in_place)});
}

// Ways that could not be measured, or were hopeless, are no match for others.
bool is_clearly_faster(const WayTimes& one, const WayTimes* other) {
  return other == nullptr || !is_in_the_running(*other) || gain_over(*other, one).low > least_gain;
}

// The ways at one size, among them those that stream out of place only, which were measured in two parts.
class Ways {
 public:
  explicit Ways(const SizeTimes& size) : bytes_(size.bytes), all_(size.ways) {
    for (const WayTimes& streamed : size.ways) {
      if (streamed.way.stores != StoreChoice::streamed) continue;
      Way way = streamed.way;
      way.stores = StoreChoice::cached;
      const WayTimes* const cached = find(size.ways, way);
      if (cached == nullptr) continue;
      way.stores = StoreChoice::apart;
      all_.push_back({way, streamed.out_of_place, cached->in_place});
    }
  }

  // Stores that are left to the library were measured as what they come to.
  const WayTimes* times_of(Way way) const {
    const WayTimes* const found = find(all_, way);
    if (found != nullptr || way.stores != StoreChoice::automatic) return found;
    way.stores = usual_stores(bytes_);
    return find(all_, way);
  }

  const WayTimes* fastest() const {
    const WayTimes* best = nullptr;
    for (const WayTimes& times : all_) {
      if (!is_in_the_running(times)) continue;
      if (best == nullptr || mean_us(times) < mean_us(*best)) best = &times;
    }
    return best;
  }

 private:
  std::uint64_t bytes_;
  std::vector<WayTimes> all_;
};

// To go back to the built-in way takes no proof, because nothing is risked by it.
bool is_worth_keeping(const Way& present, const Way& built_in, const Ways& ways) {
  const WayTimes* const own = ways.times_of(present);
  const WayTimes* const usual = ways.times_of(built_in);
  return own == nullptr || usual == nullptr || gain_over(*own, *usual).ratio <= least_gain;
}

Way choose_way(const Ways& ways, const WayTimes& fastest, const Way& present, const Way& built_in) {
  const Way first = is_worth_keeping(present, built_in, ways) ? present : built_in;
  for (const Way& way : {first, built_in}) {
    if (!is_clearly_faster(fastest, ways.times_of(way))) return way;
  }
  return fastest.way;
}

}  // namespace

std::vector<Choice> choose(const JobTimes& job) {
  std::vector<Choice> choices;
  for (const SizeTimes& size : job.sizes) {
    const Ways ways(size);
    const WayTimes* const fastest = ways.fastest();
    if (fastest == nullptr) continue;
    const Way built_in = built_in_way({.operation = CallKind::allreduce,
                                       .nodes = job.nodes,
                                       .rank_count = job.rank_count,
                                       .bytes = size.bytes});
    const bool follows_built_in = choices.empty() || choices.back().is_built_in;
    const Way present = follows_built_in ? built_in : choices.back().way;
    Choice choice{.bytes = size.bytes, .way = choose_way(ways, *fastest, present, built_in)};
    choice.is_built_in = choice.way == built_in;
    if (const WayTimes* const usual = ways.times_of(built_in)) {
      choice.gain = gain_over(*usual, *ways.times_of(choice.way));
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

}  // namespace detour::tool
