// What a plan costs: link loads, and predicted time on a machine.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "detour/routing/api.hpp"
#include "detour/routing/plan.hpp"
#include "detour/routing/request.hpp"

namespace detour {

// How much each directed link carries, as a sum of shares.
class DETOUR_API LinkLoads {
 public:
  LinkLoads(const Topology& topology, const Plan& plan);

  std::uint64_t load(Hop hop) const;
  std::uint64_t load_max() const;
  // The larger of what enters and what leaves the busiest cell.
  std::uint64_t cell_load_max() const;
  // Visits the hops that carry anything, mesh links first, in a fixed order.
  void for_each(const std::function<void(Hop, std::uint64_t)>& visit) const;

 private:
  void add(Hop hop, std::uint64_t share);

  Mesh mesh_;
  std::vector<std::uint64_t> mesh_loads_;  // four per cell: up, left, right, down
  std::map<Hop, std::uint64_t> other_loads_;
};

// The figures of a plan from which its time follows, whatever the machine and the message size.
struct Shape {
  double link_load = 0;       // largest load of any directed link, as a part of the payload
  double cell_load = 0;       // largest in- or outflow of any cell, likewise
  double flow_share = 0;      // of the slowest flow (the deepest, then the largest)
  std::int32_t depth = 0;     // hops one after the other: furthest leaf -> root -> furthest leaf
  std::int32_t distance = 0;  // the same, a bridge counted as the mesh links it spans
};

DETOUR_API Shape shape(const Topology& topology, const Plan& plan);

// In units of M/B, payload over link bandwidth. Without a message size: the limit for large
// payloads, that is the largest link load, or the injection load where that is the tighter one.
//
// With one, the larger of
//   - all links at work:  the busiest link's bytes and message overheads, or the busiest cell's
//                         bytes, and the latency of the deepest flow, which nothing hides;
//   - one flow alone:     its first chunk through all hops, the others behind it in a pipeline.
// The first is exact for rings, the second for a single pipelined tree.
DETOUR_API double predicted_time(const Shape& shape, const Request& request);

// The same in microseconds. Needs a message size.
DETOUR_API double predicted_us(const Shape& shape, const Request& request);

// The chunk size that both assume: the machine's, or the power of two that makes the plan fastest.
// Small chunks fill a deep pipeline sooner, large ones pay less overhead. Needs a message size.
DETOUR_API std::uint64_t best_chunk_bytes(const Shape& shape, const Request& request);

// What no algorithm can beat where injection is limited, in units of M/B; 0 where it is not. Summing
// one element over n cells and telling all of them takes 2(n-1) messages, so some cell takes in
// 2(n-1)/n of the payload or more.
DETOUR_API double injection_limit(const Topology& topology, const Request& request);

}  // namespace detour
