#include "detour/routing/cost_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace detour {
namespace {

// How far the furthest cell is from the root, in hops and in mesh links spanned.
struct Reach {
  std::int32_t hops = 0;
  std::int32_t distance = 0;

  // The further of this and of two ways one after the other.
  void extend(const Reach& first, const Reach& second) {
    hops = std::max(hops, first.hops + second.hops);
    distance = std::max(distance, first.distance + second.distance);
  }
};

// How many mesh links a hop counts for.
std::int32_t span(const Topology& topology, Hop hop) {
  return topology.linked(hop.from, hop.to) ? 1 : topology.mesh().distance(hop.from, hop.to);
}

// Measures reaches tree by tree, reusing its memory: there may be hundreds of trees.
class ReachMeter {
 public:
  explicit ReachMeter(const Topology& topology)
      : topology_(topology),
        parent_(static_cast<std::size_t>(topology.mesh().cell_count())),
        reach_(parent_.size()) {}

  // Hops run from child to parent. Cells without a parent are at distance 0.
  Reach measure(const std::vector<Hop>& hops, bool from_parent) {
    std::fill(parent_.begin(), parent_.end(), no_cell);
    std::fill(reach_.begin(), reach_.end(), Reach{unknown, 0});
    for (const Hop& hop : hops) {
      parent_[index(from_parent ? hop.to : hop.from)] = from_parent ? hop.from : hop.to;
    }
    Reach furthest;
    for (const CellId cell : topology_.live_cells()) {
      const Reach reach = reach_of(cell);
      furthest.hops = std::max(furthest.hops, reach.hops);
      furthest.distance = std::max(furthest.distance, reach.distance);
    }
    return furthest;
  }

 private:
  static constexpr std::int32_t unknown = -1;
  static std::size_t index(CellId cell) { return static_cast<std::size_t>(cell); }

  Reach reach_of(CellId cell) {
    path_.clear();
    while (reach_[index(cell)].hops == unknown && parent_[index(cell)] != no_cell) {
      path_.push_back(cell);
      cell = parent_[index(cell)];
    }
    if (reach_[index(cell)].hops == unknown) reach_[index(cell)] = {0, 0};
    Reach reach = reach_[index(cell)];
    for (auto child = path_.rbegin(); child != path_.rend(); ++child) {
      const CellId parent = parent_[index(*child)];
      ++reach.hops;
      reach.distance += span(topology_, {*child, parent});
      reach_[index(*child)] = reach;
    }
    return reach;
  }

  const Topology& topology_;
  std::vector<CellId> parent_;
  std::vector<Reach> reach_;
  std::vector<CellId> path_;
};

// How deep the tails reach that hang on each cell of a ring.
std::vector<Reach> tail_reaches(const Topology& topology, const Cycle& cycle) {
  std::vector<Reach> reach(static_cast<std::size_t>(topology.mesh().cell_count()));
  // From the outermost inwards: a tail's parent is on the ring or in a tail listed before.
  for (auto tail = cycle.tails.rbegin(); tail != cycle.tails.rend(); ++tail) {
    const Reach below = reach[static_cast<std::size_t>(tail->from)];
    Reach& above = reach[static_cast<std::size_t>(tail->to)];
    above.hops = std::max(above.hops, below.hops + 1);
    above.distance = std::max(above.distance, below.distance + span(topology, *tail));
  }
  std::vector<Reach> result;
  for (const CellId cell : cycle.order) result.push_back(reach[static_cast<std::size_t>(cell)]);
  return result;
}

// The deepest flow of a ring. Flow i comes once round from cell i+1, and goes once round to cell i-1;
// a tail anywhere on the way may reach further than the end of it.
Reach ring_reach(const Topology& topology, const Cycle& cycle) {
  const std::size_t count = cycle.order.size();
  const auto tails = tail_reaches(topology, cycle);
  std::vector<std::size_t> tailed;
  for (std::size_t at = 0; at < count; ++at) {
    if (tails[at].hops > 0) tailed.push_back(at);
  }
  // Where each cell is along the ring, in mesh links from cell 0; the last entry is all the way round.
  std::vector<std::int32_t> place(count + 1);
  for (std::size_t at = 0; at < count; ++at) {
    place[at + 1] = place[at] + span(topology, {cycle.order[at], cycle.order[(at + 1) % count]});
  }
  const auto way = [&](std::size_t from, std::size_t to) {  // along the ring
    const bool passes_start = to < from;
    return Reach{static_cast<std::int32_t>(to - from + (passes_start ? count : 0)),
                 place[to] - place[from] + (passes_start ? place[count] : 0)};
  };
  Reach deepest;
  for (std::size_t root = 0; root < count; ++root) {
    Reach up = way((root + 1) % count, root);
    Reach down = way(root, (root + count - 1) % count);
    for (const std::size_t at : tailed) {
      up.extend(way(at, root), tails[at]);
      down.extend(way(root, at), tails[at]);
    }
    deepest.hops = std::max(deepest.hops, up.hops + down.hops);
    deepest.distance = std::max(deepest.distance, up.distance + down.distance);
  }
  return deepest;
}

// Direction of a mesh link as seen from its start: up, left, right, down.
std::size_t direction(const Mesh& mesh, Hop hop) {
  // On a mesh of one column the steps up and left have the same size: ask for the rows first.
  if (hop.to == hop.from - mesh.cols()) return 0;
  if (hop.to == hop.from + mesh.cols()) return 3;
  return hop.to < hop.from ? 1 : 2;
}

// Smaller messages are all overhead, larger ones no longer gain anything.
constexpr std::uint64_t chunk_bytes_min = 1024;
constexpr std::uint64_t chunk_bytes_max = 1024 * 1024;

double us_with_chunks(const Shape& shape, const Request& request, double chunk_bytes_wanted) {
  const Machine& machine = request.machine;
  const auto bytes = static_cast<double>(std::max<std::uint64_t>(request.bytes.value(), 1));
  const double link_bytes = shape.link_load * bytes;

  // Chunks never span flows, so a small flow sends less than a chunk at a time.
  const double flow_bytes = shape.flow_share * bytes;
  const double chunk_bytes = std::min(chunk_bytes_wanted, flow_bytes);
  const double chunk_count = std::ceil(flow_bytes / chunk_bytes);
  const double chunk_us = machine.message_overhead_us + chunk_bytes / machine.link_bytes_per_us;
  const double message_count = std::ceil(link_bytes / chunk_bytes);
  const double latency_us = shape.distance * machine.hop_latency_us;

  const double link_us =
      link_bytes / machine.link_bytes_per_us + message_count * machine.message_overhead_us;
  const double cell_us = machine.injection_bytes_per_us
                             ? shape.cell_load * bytes / *machine.injection_bytes_per_us
                             : 0;
  const double all_at_work_us = std::max(link_us, cell_us) + latency_us;
  const double alone_us = (shape.depth + chunk_count - 1) * chunk_us + latency_us;
  return std::max(all_at_work_us, alone_us);
}

}  // namespace

LinkLoads::LinkLoads(const Topology& topology, const Plan& plan)
    : mesh_(topology.mesh()), mesh_loads_(4 * static_cast<std::size_t>(mesh_.cell_count())) {
  for (const Flow& flow : plan.flows) {
    for (const Hop& hop : flow.reduce) add(hop, flow.share);
    for (const Hop& hop : flow.broadcast) add(hop, flow.share);
  }
  for (const Cycle& cycle : plan.cycles) {
    const auto total = std::accumulate(cycle.shares.begin(), cycle.shares.end(), std::uint64_t{0});
    const std::size_t count = cycle.order.size();
    for (std::size_t at = 0; at < count; ++at) {
      const std::size_t next = (at + 1) % count;
      // Every flow but two crosses this link twice: the one that ends here is not reduced over it,
      // and the one that ends in the next cell is not broadcast over it.
      add({cycle.order[at], cycle.order[next]}, 2 * total - cycle.shares[at] - cycle.shares[next]);
    }
    for (const Hop& tail : cycle.tails) {
      add(tail, total);
      add({tail.to, tail.from}, total);
    }
  }
}

void LinkLoads::add(Hop hop, std::uint64_t share) {
  if (mesh_.adjacent(hop.from, hop.to)) {
    mesh_loads_[4 * static_cast<std::size_t>(hop.from) + direction(mesh_, hop)] += share;
  } else {
    other_loads_[hop] += share;
  }
}

std::uint64_t LinkLoads::load(Hop hop) const {
  if (mesh_.adjacent(hop.from, hop.to)) {
    return mesh_loads_[4 * static_cast<std::size_t>(hop.from) + direction(mesh_, hop)];
  }
  const auto found = other_loads_.find(hop);
  return found == other_loads_.end() ? 0 : found->second;
}

void LinkLoads::for_each(const std::function<void(Hop, std::uint64_t)>& visit) const {
  for (CellId cell = 0; cell < mesh_.cell_count(); ++cell) {
    for (const CellId neighbour : mesh_.neighbours(cell)) {
      const Hop hop{cell, neighbour};
      if (const auto carried = load(hop)) visit(hop, carried);
    }
  }
  for (const auto& [hop, carried] : other_loads_) visit(hop, carried);
}

std::uint64_t LinkLoads::load_max() const {
  std::uint64_t largest = 0;
  for_each([&](Hop, std::uint64_t carried) { largest = std::max(largest, carried); });
  return largest;
}

std::uint64_t LinkLoads::cell_load_max() const {
  std::vector<std::uint64_t> in(static_cast<std::size_t>(mesh_.cell_count()));
  std::vector<std::uint64_t> out(in.size());
  for_each([&](Hop hop, std::uint64_t carried) {
    out[static_cast<std::size_t>(hop.from)] += carried;
    in[static_cast<std::size_t>(hop.to)] += carried;
  });
  return std::max(*std::max_element(in.begin(), in.end()),
                  *std::max_element(out.begin(), out.end()));
}

Shape shape(const Topology& topology, const Plan& plan) {
  Shape result;
  const auto total = static_cast<double>(share_sum(plan));
  if (total == 0) return result;
  const auto note_flow = [&](Reach reach, Share share) {
    const double part = static_cast<double>(share) / total;
    if (reach.hops > result.depth || (reach.hops == result.depth && part > result.flow_share)) {
      result.flow_share = part;
    }
    result.depth = std::max(result.depth, reach.hops);
    result.distance = std::max(result.distance, reach.distance);
  };

  ReachMeter meter(topology);
  for (const Flow& flow : plan.flows) {
    const Reach up = meter.measure(flow.reduce, false);
    const Reach down = meter.measure(flow.broadcast, true);
    note_flow({up.hops + down.hops, up.distance + down.distance}, flow.share);
  }
  for (const Cycle& cycle : plan.cycles) {
    note_flow(ring_reach(topology, cycle),
              *std::max_element(cycle.shares.begin(), cycle.shares.end()));
  }

  const LinkLoads loads(topology, plan);
  result.link_load = static_cast<double>(loads.load_max()) / total;
  result.cell_load = static_cast<double>(loads.cell_load_max()) / total;
  return result;
}

double predicted_us(const Shape& shape, const Request& request) {
  if (shape.depth == 0) return 0;
  return us_with_chunks(shape, request, static_cast<double>(best_chunk_bytes(shape, request)));
}

std::uint64_t best_chunk_bytes(const Shape& shape, const Request& request) {
  if (request.machine.chunk_bytes) return *request.machine.chunk_bytes;
  std::uint64_t best = chunk_bytes_min;
  for (std::uint64_t chunk = chunk_bytes_min; chunk <= chunk_bytes_max; chunk *= 2) {
    const auto us = [&](std::uint64_t bytes) {
      return us_with_chunks(shape, request, static_cast<double>(bytes));
    };
    if (us(chunk) <= us(best)) best = chunk;
  }
  return best;
}

double injection_limit(const Topology& topology, const Request& request) {
  const Machine& machine = request.machine;
  if (!machine.injection_bytes_per_us || topology.live_count() == 0) return 0;
  const double cells = topology.live_count();
  return 2 * (cells - 1) / cells * machine.link_bytes_per_us / *machine.injection_bytes_per_us;
}

double predicted_time(const Shape& shape, const Request& request) {
  const Machine& machine = request.machine;
  if (request.bytes) {
    const auto bytes = static_cast<double>(std::max<std::uint64_t>(*request.bytes, 1));
    return predicted_us(shape, request) * machine.link_bytes_per_us / bytes;
  }
  if (!machine.injection_bytes_per_us) return shape.link_load;
  const double injection = *machine.injection_bytes_per_us / machine.link_bytes_per_us;
  return std::max(shape.link_load, shape.cell_load / injection);
}

}  // namespace detour
