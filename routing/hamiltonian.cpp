#include "hamiltonian.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "cover_augment.hpp"
#include "cycle_cover.hpp"
#include "ring_detours.hpp"
#include "square_merger.hpp"

namespace detour {
namespace {

using Node = LiveGraph::Node;
using Ring = std::vector<Node>;

// Depth-first, every link outside the tree leads back to a cell above it: the longest of these
// cycles is a start where no square is whole.
Ring deepest_cycle(const LiveGraph& graph) {
  struct Visit {
    Node node;
    std::size_t next_edge;
  };
  const auto node_count = static_cast<std::size_t>(graph.node_count());
  std::vector<std::int32_t> depth(node_count, -1);
  std::vector<Node> parent(node_count, -1);
  std::int32_t length_max = 2;  // back and forth over one link is no cycle
  Node lowest = -1;             // of the longest cycle
  std::vector<Visit> path{{0, 0}};
  depth[0] = 0;
  while (!path.empty()) {
    auto& [node, next_edge] = path.back();
    if (next_edge == graph.edges(node).size()) {
      path.pop_back();
      continue;
    }
    const Node to = graph.edges(node)[next_edge++].to;
    const auto here = static_cast<std::int32_t>(path.size()) - 1;
    auto& its_depth = depth[static_cast<std::size_t>(to)];
    if (its_depth < 0) {
      its_depth = here + 1;
      parent[static_cast<std::size_t>(to)] = node;
      path.push_back({to, 0});
    } else if (here - its_depth + 1 > length_max) {
      length_max = here - its_depth + 1;
      lowest = node;
    }
  }
  Ring cycle;
  for (Node node = lowest; node != -1 && length_max > 0; --length_max) {
    cycle.push_back(node);
    node = parent[static_cast<std::size_t>(node)];
  }
  return cycle;
}

// No ring is longer: it passes by cells with a single way out, and by those that have one left when
// they are gone, and so on; of the others it takes black and white ones, as on a chessboard, in
// turn.
std::size_t ring_length_limit(const Topology& topology, const LiveGraph& graph) {
  std::vector<std::size_t> degree;
  std::vector<Node> passed_by;
  std::array<std::size_t, 2> count_of_colour{};
  const auto colour = [&](Node node) {
    const Cell cell = topology.mesh().cell(graph.cell(node));
    return static_cast<std::size_t>((cell.row + cell.col) % 2);
  };
  for (Node node = 0; node < graph.node_count(); ++node) {
    degree.push_back(graph.edges(node).size());
    if (degree.back() == 1) passed_by.push_back(node);
    ++count_of_colour[colour(node)];
  }
  for (std::size_t next = 0; next < passed_by.size(); ++next) {
    --count_of_colour[colour(passed_by[next])];
    for (const auto& edge : graph.edges(passed_by[next])) {
      if (--degree[static_cast<std::size_t>(edge.to)] == 1) passed_by.push_back(edge.to);
    }
  }
  return 2 * std::min(count_of_colour[0], count_of_colour[1]);
}

class RingBuilder {
 public:
  RingBuilder(const Topology& topology, const LiveGraph& graph)
      : topology_(topology),
        graph_(graph),
        length_max_(ring_length_limit(topology, graph)),
        exchanges_left_(exchange_visits_max / graph.node_count() + 1) {}

  Ring build() {
    Ring best;
    for (std::int32_t offset = 0; offset < 4 && best.size() < length_max_; ++offset) {
      keep_longer(best, lengthened(contour(offset / 2, offset % 2)));
    }
    if (best.size() < length_max_) keep_longer(best, lengthened(deepest_cycle(graph_)));
    // What follows costs more than all the rest: only the best start gets it.
    for (std::size_t length = 0; length < best.size() && best.size() < length_max_;) {
      length = best.size();
      best = lengthened(with_exchanges(std::move(best)));
      best = with_neutral_detours(std::move(best));
    }
    return best;
  }

 private:
  // An exchange or a neutral detour is tried at the price of a walk over the whole mesh. This
  // allows for all that are of use on a 64x64 mesh with 2 % of holes, and for one on the largest
  // mesh.
  static constexpr std::int32_t exchange_visits_max = 1'000'000;

  static void keep_longer(Ring& best, Ring ring) {
    if (ring.size() > best.size()) best = std::move(ring);
  }

  // Round a spanning tree of the whole squares of a tiling.
  Ring contour(std::int32_t row, std::int32_t col) const {
    SquareMerger merger(topology_.mesh(), graph_, CycleCover(graph_.node_count()));
    merger.tile(row, col);
    merger.merge();
    merger.merge_and_grow();
    return merger.cover().longest_cycle();
  }

  Ring lengthened(const Ring& ring) const {
    if (ring.empty()) return ring;
    RingDetours detours(graph_, grown(cover_of(ring)));
    detours.lengthen();
    return detours.ring();
  }

  CycleCover cover_of(const Ring& ring) const {
    CycleCover cover(graph_.node_count());
    cover.add_cycle(ring);
    return cover;
  }

  Ring grown(CycleCover cover) const {
    SquareMerger merger(topology_.mesh(), graph_, std::move(cover));
    merger.merge_and_grow();
    return merger.cover().longest_cycle();
  }

  // Brings in cells two by two, however far apart. What an exchange cuts up is put together again
  // over squares; where that fails the ring stays as it was.
  Ring with_exchanges(Ring ring) {
    CycleCover cover = cover_of(ring);
    for (Node node = 0; node < graph_.node_count() && ring.size() < length_max_; ++node) {
      if (cover.covers(node)) continue;
      if (--exchanges_left_ < 0) break;
      auto exchanged = augmented(graph_, cover, node);
      if (!exchanged) continue;
      Ring longer = grown(*std::move(exchanged));
      if (longer.size() <= ring.size()) continue;
      ring = std::move(longer);
      cover = cover_of(ring);
    }
    return ring;
  }

  // Goes another way past cells where that makes room to take in more.
  Ring with_neutral_detours(Ring ring) {
    RingDetours detours(graph_, ring);
    for (const Node x : ring) {
      const Ring variant = detours.with_neutral_detour(x);
      if (variant.empty()) continue;
      if (--exchanges_left_ < 0) break;
      Ring longer = grown(cover_of(variant));
      if (longer.size() > ring.size()) return longer;
    }
    return ring;
  }

  const Topology& topology_;
  const LiveGraph& graph_;
  std::size_t length_max_;
  std::int32_t exchanges_left_;
};

}  // namespace

Ring long_ring(const Topology& topology, const LiveGraph& graph) {
  return RingBuilder(topology, graph).build();
}

}  // namespace detour
