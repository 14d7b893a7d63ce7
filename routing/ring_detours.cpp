#include "ring_detours.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace detour {
namespace {

using Node = LiveGraph::Node;
constexpr Node none = -1;

// Where half the mesh is off the ring the search may be long, and is given up at some point.
constexpr std::int64_t visits_per_node = 64;

std::size_t index(Node node) {
  return static_cast<std::size_t>(node);
}

}  // namespace

RingDetours::RingDetours(const LiveGraph& graph, std::vector<Node> ring)
    : graph_(graph),
      ring_(std::move(ring)),
      position_(index(graph.node_count()), none),
      before_(position_.size(), none),
      distance_(position_.size(), 0),
      visits_left_(visits_per_node * graph.node_count()) {
  renumber();
}

void RingDetours::lengthen() {
  // Every success makes the ring longer; a round without one is the last.
  for (std::size_t at = 0, failures = 0; failures < ring_.size() && visits_left_ > 0;) {
    const Detour detour = best_detour(ring_[at % ring_.size()], 1);
    if (!detour.through.empty()) {
      take(detour);
      failures = 0;
    } else {
      ++failures;
      ++at;
    }
  }
}

std::vector<Node> RingDetours::with_neutral_detour(Node x) {
  const Detour detour = best_detour(x, 0);
  if (detour.through.empty()) return {};
  RingDetours variant = *this;
  variant.take(detour);
  return variant.ring_;
}

void RingDetours::renumber() {
  std::fill(position_.begin(), position_.end(), none);
  for (std::size_t at = 0; at < ring_.size(); ++at) {
    position_[index(ring_[at])] = static_cast<std::int32_t>(at);
  }
}

std::int32_t RingDetours::ring_distance(Node a, Node b) const {
  const auto gap = std::abs(position_[index(a)] - position_[index(b)]);
  return std::min(gap, static_cast<std::int32_t>(ring_.size()) - gap);
}

// Breadth-first over cells off the ring. Of detours that gain the same it is the longest.
RingDetours::Detour RingDetours::best_detour(Node x, std::int32_t gain_min) {
  Node last = none;
  Node end = none;
  std::vector<Node> queue{x};
  distance_[index(x)] = 0;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const Node node = queue[next];
    for (const auto& edge : graph_.edges(node)) {
      const Node to = edge.to;
      if (to == x) continue;
      if (position_[index(to)] == none) {
        if (before_[index(to)] != none) continue;
        before_[index(to)] = node;
        distance_[index(to)] = distance_[index(node)] + 1;
        queue.push_back(to);
      } else if (const auto gain = distance_[index(node)] + 1 - ring_distance(x, to);
                 node != x && gain >= gain_min) {
        gain_min = gain;
        last = node;
        end = to;
      }
    }
  }
  visits_left_ -= static_cast<std::int64_t>(queue.size());

  Detour detour{x, {}, end};
  if (end != none) {
    for (Node node = last; node != x; node = before_[index(node)]) detour.through.push_back(node);
    std::reverse(detour.through.begin(), detour.through.end());
  }
  for (const Node node : queue) before_[index(node)] = none;
  return detour;
}

void RingDetours::take(const Detour& detour) {
  const auto count = static_cast<std::int32_t>(ring_.size());
  const auto ahead = position_[index(detour.to)] - position_[index(detour.from)];
  if ((ahead + count) % count != ring_distance(detour.from, detour.to)) {
    std::reverse(ring_.begin(), ring_.end());
    renumber();
  }
  std::rotate(ring_.begin(), ring_.begin() + position_[index(detour.to)], ring_.end());
  renumber();
  ring_.resize(index(position_[index(detour.from)]) + 1);
  ring_.insert(ring_.end(), detour.through.begin(), detour.through.end());
  renumber();
  visits_left_ -= count / 16;  // about what the renumbering costs, in visits
}

}  // namespace detour
