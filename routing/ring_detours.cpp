#include "ring_detours.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace detour {
namespace {

using Node = LiveGraph::Node;
constexpr Node none = -1;

//      u1-u2-u3        A detour leaves the ring at x, passes through cells off the ring, and comes
//      |      |        back at y. It pays if it is longer than the way from x to y on the ring that
//   ---x--w---y---     it replaces, the shorter of the two there are.
class DetourSearch {
 public:
  DetourSearch(const LiveGraph& graph, std::vector<Node> ring)
      : graph_(graph),
        ring_(std::move(ring)),
        position_(static_cast<std::size_t>(graph.node_count()), none),
        before_(position_.size(), none),
        distance_(position_.size(), 0),
        visits_left_(visits_per_node * static_cast<std::int64_t>(position_.size())) {
    renumber();
  }

  std::vector<Node> run() && {
    // Every success makes the ring longer; a round without one is the last.
    for (std::size_t at = 0, failures = 0; failures < ring_.size() && visits_left_ > 0;) {
      if (take_best_detour(ring_[at % ring_.size()])) {
        failures = 0;
      } else {
        ++failures;
        ++at;
      }
    }
    return std::move(ring_);
  }

 private:
  // Where half the mesh is off the ring the search may be long, and is given up at some point.
  static constexpr std::int64_t visits_per_node = 64;

  std::int32_t& position(Node node) { return position_[static_cast<std::size_t>(node)]; }
  Node& before(Node node) { return before_[static_cast<std::size_t>(node)]; }
  std::int32_t& distance(Node node) { return distance_[static_cast<std::size_t>(node)]; }

  void renumber() {
    std::fill(position_.begin(), position_.end(), none);
    for (std::size_t at = 0; at < ring_.size(); ++at) {
      position(ring_[at]) = static_cast<std::int32_t>(at);
    }
  }

  std::int32_t ring_distance(Node a, Node b) {
    const auto gap = std::abs(position(a) - position(b));
    return std::min(gap, static_cast<std::int32_t>(ring_.size()) - gap);
  }

  // Breadth-first over cells off the ring, from x on.
  bool take_best_detour(Node x) {
    std::vector<Node> queue{x};
    distance(x) = 0;
    Node best_last = none;
    Node best_end = none;
    std::int32_t best_gain = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const Node node = queue[next];
      --visits_left_;
      for (const auto& edge : graph_.edges(node)) {
        const Node to = edge.to;
        if (to == x) continue;
        if (position(to) == none) {
          if (before(to) != none) continue;
          before(to) = node;
          distance(to) = distance(node) + 1;
          queue.push_back(to);
        } else if (const auto gain = distance(node) + 1 - ring_distance(x, to);
                   node != x && gain > best_gain) {
          best_gain = gain;
          best_last = node;
          best_end = to;
        }
      }
    }
    if (best_gain > 0) replace(x, best_end, best_last);
    for (const Node node : queue) before(node) = none;
    return best_gain > 0;
  }

  // Puts the cells x .. last in place of those between x and y.
  void replace(Node x, Node y, Node last) {
    const auto count = static_cast<std::int32_t>(ring_.size());
    if ((position(y) - position(x) + count) % count != ring_distance(x, y)) {
      std::reverse(ring_.begin(), ring_.end());
      renumber();
    }
    std::rotate(ring_.begin(), ring_.begin() + position(y), ring_.end());
    renumber();
    ring_.resize(static_cast<std::size_t>(position(x)) + 1);  // y .. x
    const auto detour_start = static_cast<std::ptrdiff_t>(ring_.size());
    for (Node node = last; node != x; node = before(node)) ring_.push_back(node);
    std::reverse(ring_.begin() + detour_start, ring_.end());
    renumber();
    visits_left_ -= count / 16;  // about what the renumbering costs, in visits
  }

  const LiveGraph& graph_;
  std::vector<Node> ring_;
  std::vector<std::int32_t> position_;  // on the ring, by node
  std::vector<Node> before_;            // in the search
  std::vector<std::int32_t> distance_;  // likewise
  std::int64_t visits_left_;
};

}  // namespace

std::vector<Node> with_detours(const LiveGraph& graph, std::vector<Node> ring) {
  return DetourSearch(graph, std::move(ring)).run();
}

}  // namespace detour
