#include "max_flow.hpp"

#include <algorithm>
#include <limits>

namespace detour {

MaxFlow::MaxFlow(Node node_count)
    : first_arc_(static_cast<std::size_t>(node_count), -1),
      next_arc_(first_arc_.size()),
      level_(first_arc_.size()) {}

void MaxFlow::add_arc(Node from, Node to, std::int64_t capacity, std::int64_t back_capacity) {
  const auto attach = [this](Node start, Node end, std::int64_t room) {
    auto& first = first_arc_[static_cast<std::size_t>(start)];
    arcs_.push_back({end, first, room});
    first = static_cast<std::int32_t>(arcs_.size()) - 1;
  };
  attach(from, to, capacity);
  attach(to, from, back_capacity);
}

void MaxFlow::run(Node source, Node sink) {
  source_ = source;
  sink_ = sink;
  while (find_levels()) {
    next_arc_ = first_arc_;
    while (push(source, std::numeric_limits<std::int64_t>::max()) > 0) {
    }
  }
}

// True while the sink can be reached. The last search, which fails, has visited the source's side.
bool MaxFlow::find_levels() {
  std::fill(level_.begin(), level_.end(), -1);
  level_[static_cast<std::size_t>(source_)] = 0;
  queue_.assign(1, source_);
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const Node node = queue_[next];
    for (auto id = first_arc_[static_cast<std::size_t>(node)]; id >= 0; id = arc(id).next) {
      auto& level = level_[static_cast<std::size_t>(arc(id).to)];
      if (arc(id).capacity == 0 || level >= 0) continue;
      level = level_[static_cast<std::size_t>(node)] + 1;
      queue_.push_back(arc(id).to);
    }
  }
  return level_[static_cast<std::size_t>(sink_)] >= 0;
}

// Depth is bounded by the number of levels. An arc that led nowhere is not tried again: next_arc_.
std::int64_t MaxFlow::push(Node node, std::int64_t limit) {
  if (node == sink_) return limit;
  for (auto& id = next_arc(node); id >= 0; id = arc(id).next) {
    const Node to = arc(id).to;
    const bool downhill =
        level_[static_cast<std::size_t>(to)] == level_[static_cast<std::size_t>(node)] + 1;
    if (arc(id).capacity == 0 || !downhill) continue;
    const std::int64_t pushed = push(to, std::min(limit, arc(id).capacity));
    if (pushed == 0) continue;
    arc(id).capacity -= pushed;
    arc(id ^ 1).capacity += pushed;
    return pushed;
  }
  return 0;
}

}  // namespace detour
