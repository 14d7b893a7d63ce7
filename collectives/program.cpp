#include "collectives/program.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace detour {
namespace {

// Distances from the root along one tree, reusing memory from flow to flow.
class TreeMeter {
 public:
  explicit TreeMeter(std::int32_t rank_count)
      : parent_(static_cast<std::size_t>(rank_count)), distance_(parent_.size()) {}

  void measure(const std::vector<RankHop>& hops, Rank root, bool from_parent) {
    std::fill(distance_.begin(), distance_.end(), unknown);
    for (const RankHop& hop : hops) {
      parent_[index(from_parent ? hop.to : hop.from)] = from_parent ? hop.from : hop.to;
    }
    distance_[index(root)] = 0;
    depth_ = 0;
    for (const RankHop& hop : hops) {
      depth_ = std::max(depth_, find_distance(from_parent ? hop.to : hop.from));
    }
  }

  std::int64_t distance(Rank rank) const { return distance_[index(rank)]; }
  std::int64_t depth() const { return depth_; }

 private:
  static constexpr std::int64_t unknown = -1;
  static std::size_t index(Rank rank) { return static_cast<std::size_t>(rank); }

  std::int64_t find_distance(Rank rank) {
    way_.clear();
    while (distance_[index(rank)] == unknown) {
      way_.push_back(rank);
      rank = parent_[index(rank)];
    }
    std::int64_t distance = distance_[index(rank)];
    for (auto at = way_.rbegin(); at != way_.rend(); ++at) distance_[index(*at)] = ++distance;
    return distance;
  }

  std::vector<Rank> parent_;
  std::vector<std::int64_t> distance_;
  std::vector<Rank> way_;
  std::int64_t depth_ = 0;
};

// How many messages the busiest link has to carry, that is how many ticks all of it takes.
std::uint64_t tick_count(const std::vector<RankFlow>& flows, std::uint64_t chunk_elements) {
  std::unordered_map<std::uint64_t, std::uint64_t> carried;
  std::uint64_t busiest = 1;
  for (const RankFlow& flow : flows) {
    const std::uint64_t chunks = chunk_count(flow.elements, chunk_elements);
    for (const auto* hops : {&flow.reduce, &flow.broadcast}) {
      for (const RankHop& hop : *hops) {
        const auto link = (std::uint64_t{static_cast<std::uint32_t>(hop.from)} << 32) |
                          static_cast<std::uint32_t>(hop.to);
        busiest = std::max(busiest, carried[link] += chunks);
      }
    }
  }
  return busiest;
}

FlowRole role_in(const RankFlow& flow, Rank rank) {
  FlowRole role;
  role.elements = flow.elements;
  role.has_reduce = flow.has_reduce;
  role.has_broadcast = flow.has_broadcast;
  for (const RankHop& hop : flow.reduce) {
    if (hop.to == rank) role.reduce_children.push_back(hop.from);
    if (hop.from == rank) role.reduce_parent = hop.to;
  }
  for (const RankHop& hop : flow.broadcast) {
    if (hop.from == rank) role.broadcast_children.push_back(hop.to);
    if (hop.to == rank) role.broadcast_parent = hop.from;
  }
  return role;
}

struct TimedStep {
  std::int64_t tick;
  Step step;
  auto operator<=>(const TimedStep&) const = default;
};

// Collects, link by link, how many messages each tick brings; says how much room that takes.
class WindowMeter {
 public:
  // In ascending order of ticks.
  void add(Rank peer, Lane lane, std::int64_t tick) {
    Count& count = counts_[{peer, lane}];
    if (tick != count.tick) {
      count.before = tick == count.tick + 1 ? count.now : 0;
      count.now = 0;
      count.tick = tick;
    }
    ++count.now;
    ++count.all;
    count.most = std::max(count.most, count.before + count.now);
  }

  std::vector<Link> links() const {
    std::vector<Link> links;
    for (const auto& [key, count] : counts_)
      links.push_back({key.first, key.second, count.most + 1, count.all});
    return links;
  }

 private:
  struct Count {
    std::int64_t tick = -2;
    std::uint32_t before = 0;  // in the tick before this one
    std::uint32_t now = 0;
    std::uint32_t most = 0;
    std::uint64_t all = 0;
  };
  std::map<std::pair<Rank, Lane>, Count> counts_;
};

std::vector<Step> without_ticks(const std::vector<TimedStep>& timed) {
  std::vector<Step> steps;
  steps.reserve(timed.size());
  for (const TimedStep& step : timed) steps.push_back(step.step);
  return steps;
}

void measure_windows(Program& program, const std::vector<TimedStep>& reduces,
                     const std::vector<TimedStep>& broadcasts) {
  WindowMeter outgoing;
  WindowMeter incoming;
  for (const TimedStep& timed : reduces) {
    const FlowRole& role = program.roles[timed.step.flow];
    for (const Rank child : role.reduce_children) incoming.add(child, Lane::reduce, timed.tick);
    if (role.reduce_parent != no_rank) outgoing.add(role.reduce_parent, Lane::reduce, timed.tick);
  }
  for (const TimedStep& timed : broadcasts) {
    const FlowRole& role = program.roles[timed.step.flow];
    for (const Rank child : role.broadcast_children) {
      outgoing.add(child, Lane::broadcast, timed.tick);
    }
    if (role.broadcast_parent != no_rank) {
      incoming.add(role.broadcast_parent, Lane::broadcast, timed.tick);
    }
  }
  program.outgoing = outgoing.links();
  program.incoming = incoming.links();
}

}  // namespace

Program make_program(const std::vector<RankFlow>& flows, Rank rank, std::int32_t rank_count,
                     std::uint64_t chunk_elements) {
  Program program;
  program.rank = rank;
  program.chunk_elements = chunk_elements;
  const std::uint64_t ticks = tick_count(flows, chunk_elements);
  TreeMeter up(rank_count);
  TreeMeter down(rank_count);
  std::vector<TimedStep> reduces;
  std::vector<TimedStep> broadcasts;
  for (std::size_t at = 0; at < flows.size(); ++at) {
    const RankFlow& flow = flows[at];
    program.roles.push_back(role_in(flow, rank));
    up.measure(flow.reduce, flow.root, false);
    down.measure(flow.broadcast, flow.root, true);
    const std::uint64_t chunks = chunk_count(flow.elements, chunk_elements);
    for (std::uint64_t chunk = 0; chunk < chunks; ++chunk) {
      const auto start = static_cast<std::int64_t>(chunk * ticks / chunks);
      const Step step{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(chunk)};
      if (flow.has_reduce) reduces.push_back({start + up.depth() - up.distance(rank), step});
      if (flow.has_broadcast)
        broadcasts.push_back({start + up.depth() + down.distance(rank), step});
    }
  }
  std::sort(reduces.begin(), reduces.end());
  std::sort(broadcasts.begin(), broadcasts.end());
  measure_windows(program, reduces, broadcasts);
  program.reduces = without_ticks(reduces);
  program.broadcasts = without_ticks(broadcasts);
  return program;
}

}  // namespace detour
