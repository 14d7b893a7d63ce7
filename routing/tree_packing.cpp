#include "tree_packing.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "union_find.hpp"

namespace detour {
namespace {

using Node = LiveGraph::Node;
using LinkId = LiveGraph::LinkId;

constexpr LinkId no_link = -1;

// The cell in the middle of stretch `at` when a line of cells is cut into so many stretches.
std::int32_t middle_of(std::int32_t at, std::int32_t stretch_count, std::int32_t cell_count) {
  return static_cast<std::int32_t>((2 * std::int64_t{at} + 1) * cell_count / (2 * stretch_count));
}

}  // namespace

// Combs of rows and combs of columns, as in policies/combs.cpp, are an optimal packing of an intact
// mesh. Round holes each comb is cut into pieces, which the least loaded links join again. What is
// overloaded then lies near holes, and few exchanges mend it.
TreePacking::TreePacking(const LiveGraph& graph, const Mesh& mesh, TreeId tree_count)
    : graph_(&graph),
      tree_count_(tree_count),
      in_tree_(static_cast<std::size_t>(tree_count) * static_cast<std::size_t>(graph.link_count())),
      loads_(static_cast<std::size_t>(graph.link_count())),
      origin_(loads_.size()),
      explored_(loads_.size()),
      side_(static_cast<std::size_t>(graph.node_count())) {
  const double row_weight = mesh.cols() * (mesh.rows() - 1.0);
  const double col_weight = mesh.rows() * (mesh.cols() - 1.0);
  const auto row_count =
      static_cast<TreeId>(tree_count * row_weight / (row_weight + col_weight) + 0.5);
  const auto col_count = tree_count - row_count;
  std::vector<Place> places;
  places.reserve(loads_.size());
  for (const auto& link : graph.links()) {
    const Cell a = mesh.cell(graph.cell(link.a));
    const Cell b = mesh.cell(graph.cell(link.b));
    places.push_back({a.row == b.row, a.col == b.col, a});
  }
  for (TreeId at = 0; at < row_count; ++at) {
    add_comb(at, places, true, middle_of(at, row_count, mesh.cols()));
  }
  for (TreeId at = 0; at < col_count; ++at) {
    add_comb(row_count + at, places, false, middle_of(at, col_count, mesh.rows()));
  }
}

std::uint8_t& TreePacking::in_tree(TreeId tree, LinkId link) {
  return in_tree_[static_cast<std::size_t>(tree) * loads_.size() + static_cast<std::size_t>(link)];
}

bool TreePacking::in_tree(TreeId tree, LinkId link) const {
  return in_tree_[static_cast<std::size_t>(tree) * loads_.size() + static_cast<std::size_t>(link)];
}

std::int32_t TreePacking::load_max() const {
  return *std::max_element(loads_.begin(), loads_.end());
}

TreeLinks TreePacking::links(TreeId tree) const {
  TreeLinks result;
  for (LinkId link = 0; link < graph_->link_count(); ++link) {
    if (in_tree(tree, link)) result.push_back(link);
  }
  return result;
}

void TreePacking::add_comb(TreeId tree, const std::vector<Place>& places, bool of_rows,
                           std::int32_t spine) {
  UnionFind joined(graph_->node_count());
  LinkId missing = graph_->node_count() - 1;
  const auto take = [&](LinkId id) {
    if (!joined.unite(graph_->link(id).a, graph_->link(id).b)) return;
    in_tree(tree, id) = 1;
    ++load(id);
    --missing;
  };
  const auto off_spine = [&](LinkId id) {
    const Cell cell = places[static_cast<std::size_t>(id)].cell;
    return std::abs((of_rows ? cell.col : cell.row) - spine);
  };
  std::vector<LinkId> rest;
  for (LinkId id = 0; id < graph_->link_count(); ++id) {
    const Place& place = places[static_cast<std::size_t>(id)];
    if (of_rows ? place.along_row : place.along_col) {
      take(id);
    } else {
      rest.push_back(id);
    }
  }
  for (const LinkId id : rest) {
    if (off_spine(id) == 0) take(id);
  }
  if (missing == 0) return;
  std::sort(rest.begin(), rest.end(), [&](LinkId a, LinkId b) {
    return std::tuple(load(a), off_spine(a), a) < std::tuple(load(b), off_spine(b), b);
  });
  for (const LinkId id : rest) take(id);
}

TreePacking::Result TreePacking::lower_to(std::int32_t target, std::int64_t& steps) {
  for (LinkId id = 0; id < graph_->link_count(); ++id) {
    while (load(id) > target) {
      const Result result = relieve(id, target, steps);
      if (result != Result::reached) return result;
    }
  }
  return Result::reached;
}

// Takes one tree off an overloaded link. The tree falls in two, and any link between the two sides
// can replace it; if that one is full itself, some tree has to leave it in turn, and so on. A
// breadth-first search over links finds the shortest such chain that ends in a link with room: it
// is the augmenting path of matroid union.
//
// If the search runs dry, there is no packing that meets the target. Let V be the links it came to
// and P the parts into which they cut the graph. Every tree has exactly |P|-1 links of V, because
// all links across the cut of a tree link in V are in V. So the K trees put K (|P|-1) on V, more
// than `target` on each of its links: any K trees do.
TreePacking::Result TreePacking::relieve(LinkId overloaded, std::int32_t target,
                                         std::int64_t& steps) {
  std::fill(origin_.begin(), origin_.end(), Origin{no_link, -1});
  std::fill(explored_.begin(), explored_.end(), std::uint8_t{0});
  origin_[static_cast<std::size_t>(overloaded)] = {overloaded, -1};
  queue_.assign(1, overloaded);
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const LinkId full = queue_[next];
    for (TreeId tree = 0; tree < tree_count_; ++tree) {
      if (!in_tree(tree, full)) continue;
      if (steps <= 0) return Result::out_of_steps;
      if (explore(full, tree, target, steps)) return Result::reached;
    }
    explored_[static_cast<std::size_t>(full)] = 1;
  }
  return Result::impossible;
}

// Goes over the links that could replace a full one in one tree; true if a chain was carried out.
bool TreePacking::explore(LinkId full, TreeId tree, std::int32_t target, std::int64_t& steps) {
  split(tree, full, Extent::unexplored, steps);
  for (const Node node : small_side_) {
    for (const auto& edge : graph_->edges(node)) {
      auto& origin = origin_[static_cast<std::size_t>(edge.link)];
      if (origin.link != no_link || in_small_side(edge.to)) continue;
      origin = {full, tree};
      if (load(edge.link) >= target) {
        queue_.push_back(edge.link);
      } else {
        exchange_along(edge.link, steps);
        return true;
      }
    }
  }
  return false;
}

// Finds the smaller side of a tree without one of its links: both sides grow in turns, and the
// first one to stop is it. Extent::unexplored stays between links whose cuts in this tree have been
// searched: all links beyond them have been met already. So the pieces get smaller and smaller, and
// a whole search visits O(n log n) nodes per tree.
void TreePacking::split(TreeId tree, LinkId link, Extent extent, std::int64_t& steps) {
  const std::int32_t first_mark = ++last_mark_;
  const std::int32_t second_mark = ++last_mark_;
  auto& first = small_side_;
  auto& second = other_side_;
  first.assign(1, graph_->link(link).a);
  second.assign(1, graph_->link(link).b);
  side_[static_cast<std::size_t>(first[0])] = first_mark;
  side_[static_cast<std::size_t>(second[0])] = second_mark;
  const auto grow = [&](std::vector<Node>& side, std::size_t at, std::int32_t mark) {
    for (const auto& edge : graph_->edges(side[at])) {
      if (edge.link == link || !in_tree(tree, edge.link)) continue;
      if (extent == Extent::unexplored && explored_[static_cast<std::size_t>(edge.link)]) continue;
      auto& its_side = side_[static_cast<std::size_t>(edge.to)];
      if (its_side == mark) continue;
      its_side = mark;
      side.push_back(edge.to);
    }
  };
  std::size_t at = 0;
  for (; at < first.size() && at < second.size(); ++at) {
    grow(first, at, first_mark);
    grow(second, at, second_mark);
  }
  steps -= static_cast<std::int64_t>(2 * at);
  const bool first_is_smaller = at == first.size();
  small_mark_ = first_is_smaller ? first_mark : second_mark;
  if (!first_is_smaller) first.swap(second);
}

// Carries out the chain that ends in a link with room, from its end to its start. A shortest chain may
// change one tree several times without cutting the ground from under itself: if an earlier exchange
// made a later one impossible, there would have been a shorter chain.
void TreePacking::exchange_along(LinkId spare, std::int64_t& steps) {
  for (LinkId in = spare; origin_[static_cast<std::size_t>(in)].tree >= 0;) {
    const Origin origin = origin_[static_cast<std::size_t>(in)];
    exchange(origin.tree, origin.link, in, steps);
    in = origin.link;
  }
}

void TreePacking::exchange(TreeId tree, LinkId out, LinkId in, std::int64_t& steps) {
  split(tree, out, Extent::whole_tree, steps);
  const bool joins_sides = in_small_side(graph_->link(in).a) != in_small_side(graph_->link(in).b);
  if (!in_tree(tree, out) || in_tree(tree, in) || !joins_sides) {
    throw std::logic_error("an exchange of links broke a tree");
  }
  in_tree(tree, out) = 0;
  in_tree(tree, in) = 1;
  --load(out);
  ++load(in);
}

// One tree at a time is taken out and grown anew, breadth-first from its middle, over the links
// that have room. Its old links have, so the new tree is no deeper than the old one.
void TreePacking::flatten() {
  const std::int32_t cap = load_max();
  std::vector<Node> queue;
  std::vector<std::uint8_t> reached(static_cast<std::size_t>(graph_->node_count()));
  for (TreeId tree = 0; tree < tree_count_; ++tree) {
    const Node root = graph_->node(centred_flow(*graph_, links(tree), 1).root);
    for (LinkId id = 0; id < graph_->link_count(); ++id) {
      if (std::exchange(in_tree(tree, id), std::uint8_t{0})) --load(id);
    }
    std::fill(reached.begin(), reached.end(), std::uint8_t{0});
    queue.assign(1, root);
    reached[static_cast<std::size_t>(root)] = 1;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      for (const auto& edge : graph_->edges(queue[next])) {
        if (reached[static_cast<std::size_t>(edge.to)] || load(edge.link) >= cap) continue;
        reached[static_cast<std::size_t>(edge.to)] = 1;
        in_tree(tree, edge.link) = 1;
        ++load(edge.link);
        queue.push_back(edge.to);
      }
    }
  }
}

std::vector<std::vector<CellId>> TreePacking::proof() const {
  UnionFind parts(graph_->node_count());
  for (LinkId id = 0; id < graph_->link_count(); ++id) {
    if (origin_[static_cast<std::size_t>(id)].link != no_link) continue;
    parts.unite(graph_->link(id).a, graph_->link(id).b);
  }
  std::vector<std::vector<CellId>> result(static_cast<std::size_t>(graph_->node_count()));
  for (Node node = 0; node < graph_->node_count(); ++node) {
    result[static_cast<std::size_t>(parts.find(node))].push_back(graph_->cell(node));
  }
  std::erase_if(result, [](const auto& part) { return part.empty(); });
  std::sort(result.begin(), result.end());
  return result;
}

Ratio TreePacking::proven() const {
  const auto met = std::count_if(origin_.begin(), origin_.end(),
                                 [](const Origin& origin) { return origin.link != no_link; });
  return {static_cast<std::int64_t>(proof().size()) - 1, met};
}

}  // namespace detour
