#include "hand_over.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace detour {

HandOver::HandOver(const LinePairs& lines)
    : lines_(lines),
      graph_(lines.graph()),
      distance_(index(graph_.node_count()), -1),
      host_(distance_.size(), -1) {
  find_distances();
  find_ways();
  find_gaps();
}

void HandOver::find_distances() {
  std::vector<Node> queue;
  for (Node node = 0; node < graph_.node_count(); ++node) {
    host_[index(node)] = lines_.pair_of(node);
    if (host_[index(node)] < 0) continue;
    distance_[index(node)] = 0;
    queue.push_back(node);
  }
  const auto in_pairs = static_cast<std::ptrdiff_t>(queue.size());
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (const auto& edge : graph_.edges(queue[next])) {
      if (distance_[index(edge.to)] >= 0) continue;
      distance_[index(edge.to)] = distance_[index(queue[next])] + 1;
      queue.push_back(edge.to);
    }
  }
  outside_.assign(queue.begin() + in_pairs, queue.end());
}

void HandOver::find_ways() {
  for (const Node node : outside_) {
    guests_.push_back(guest_at(node));
    const auto [a, b] = graph_.link(guests_.back().way);
    host_[index(node)] = host_[index(a == node ? b : a)];
  }
}

// Links along the line are needed least, so `way` avoids them and `other_way` looks for them.
HandOver::Guest HandOver::guest_at(Node node) const {
  const std::int32_t own_distance = distance_[index(node)];
  const auto along = [&](Node to) { return lines_.line_of(to) == lines_.line_of(node); };
  Guest guest{node, lines_.position_of(node), no_link, no_link};
  for (const bool wanted_along : {false, true}) {
    for (const auto& [to, link] : graph_.edges(node)) {
      if (guest.way == no_link && along(to) == wanted_along &&
          distance_[index(to)] < own_distance) {
        guest.way = link;
      }
    }
  }
  // A neighbour further out comes through this cell, so it is no way out.
  for (const bool wanted_along : {true, false}) {
    for (const auto& [to, link] : graph_.edges(node)) {
      if (guest.other_way == no_link && along(to) == wanted_along && link != guest.way &&
          distance_[index(to)] <= own_distance) {
        guest.other_way = link;
      }
    }
  }
  return guest;
}

void HandOver::find_gaps() {
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<Crossing>> by_pairs;
  for (LinkId id = 0; id < graph_.link_count(); ++id) {
    const auto [a, b] = graph_.link(id);
    const auto hosts = std::minmax(host_[index(a)], host_[index(b)]);
    if (hosts.first == hosts.second) continue;
    by_pairs[hosts].push_back(
        {id, lines_.position_of(a), distance_[index(a)] + distance_[index(b)] + 1});
  }
  for (auto& [hosts, crossings] : by_pairs) {
    std::int32_t shortest = crossings.front().length;
    for (const Crossing& crossing : crossings) shortest = std::min(shortest, crossing.length);
    gaps_.push_back({hosts.first, hosts.second, shortest, std::move(crossings)});
  }
  std::stable_sort(gaps_.begin(), gaps_.end(),
                   [](const Gap& a, const Gap& b) { return a.length_min < b.length_min; });
}

}  // namespace detour
