#include "square_merger.hpp"

#include <numeric>

namespace detour {

using Node = LiveGraph::Node;

SquareMerger::SquareMerger(const Mesh& mesh, const LiveGraph& graph, CycleCover cover)
    : mesh_(mesh), graph_(graph), cover_(std::move(cover)), cycle_of_(graph.node_count()) {
  for (Node node = 0; node < graph.node_count(); ++node) {
    if (!cover_.covers(node)) continue;
    for (const Node neighbour : cover_.neighbours(node)) cycle_of_.unite(node, neighbour);
  }
}

void SquareMerger::tile(std::int32_t row, std::int32_t col) {
  for (std::int32_t r = row; r + 1 < mesh_.rows(); r += 2) {
    for (std::int32_t c = col; c + 1 < mesh_.cols(); c += 2) {
      const Square square = square_at(mesh_.id({r, c}));
      if (!square.live()) continue;
      cover_.add_cycle({square.a, square.b, square.c, square.d});
      for (const Node node : {square.b, square.c, square.d}) cycle_of_.unite(square.a, node);
    }
  }
}

void SquareMerger::merge() {
  visit_squares([this](Node a, Node b, Node d, Node c) { return merge_sides(a, b, d, c); });
}

void SquareMerger::merge_and_grow() {
  visit_squares([this](Node a, Node b, Node d, Node c) {
    return merge_sides(a, b, d, c) || take_in(a, b, d, c) || take_in(d, c, a, b);
  });
}

SquareMerger::Square SquareMerger::square_at(CellId corner) const {
  const Cell at = mesh_.cell(corner);
  if (at.row + 1 >= mesh_.rows() || at.col + 1 >= mesh_.cols()) return {-1, -1, -1, -1};
  const CellId below = corner + mesh_.cols();
  return {graph_.node(corner), graph_.node(corner + 1), graph_.node(below), graph_.node(below + 1)};
}

// Offers both pairs of opposite sides of every square to `change`, and again those next to a square
// that changed. Ends because every change takes in cells or makes two cycles one.
template <class Change>
void SquareMerger::visit_squares(const Change& change) {
  std::vector<CellId> queue(static_cast<std::size_t>(mesh_.cell_count()));
  std::iota(queue.begin(), queue.end(), 0);
  std::vector<bool> queued(queue.size(), true);
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const CellId corner = queue[next];
    queued[static_cast<std::size_t>(corner)] = false;
    const Square s = square_at(corner);
    if (!s.live()) continue;
    if (!change(s.a, s.b, s.d, s.c) && !change(s.a, s.d, s.b, s.c)) continue;
    const Cell at = mesh_.cell(corner);
    for (std::int32_t row = at.row - 1; row <= at.row + 1; ++row) {
      for (std::int32_t col = at.col - 1; col <= at.col + 1; ++col) {
        if (!mesh_.contains(Cell{row, col})) continue;
        const CellId near = mesh_.id({row, col});
        if (queued[static_cast<std::size_t>(near)]) continue;
        queued[static_cast<std::size_t>(near)] = true;
        queue.push_back(near);
      }
    }
  }
}

// Two cycles along a-b and d-c become one along a-d and b-c.
bool SquareMerger::merge_sides(Node a, Node b, Node d, Node c) {
  if (!cover_.linked(a, b) || !cover_.linked(d, c) || !cycle_of_.unite(a, d)) return false;
  cover_.unlink(a, b);
  cover_.unlink(d, c);
  cover_.link(a, d);
  cover_.link(b, c);
  return true;
}

// The cycle along a-b goes a-d-c-b.
bool SquareMerger::take_in(Node a, Node b, Node d, Node c) {
  if (!cover_.linked(a, b) || cover_.covers(d) || cover_.covers(c)) return false;
  cover_.unlink(a, b);
  cover_.link(a, d);
  cover_.link(d, c);
  cover_.link(c, b);
  cycle_of_.unite(a, d);
  cycle_of_.unite(a, c);
  return true;
}

}  // namespace detour
