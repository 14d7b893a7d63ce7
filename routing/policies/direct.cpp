// direct: stars, where all cells reach each other directly.
//
//     o   o        Every cell is the root of one flow: all others send it their part of its share
//      \ /         and get the sum back.
//     o-O-o
//      / \         .
//     o   o
//
// Price: time 2/n, which is the limit of the complete graph: each link carries 1/n of the payload
// to either end's star, and 1/n back. Depth 2. A cell takes in and gives out 2(n-1)/n in all.
#include <optional>

#include "detour/routing/policy.hpp"
#include "detour/routing/registry.hpp"

namespace detour {
namespace {

class Direct final : public Policy {
 public:
  std::string_view name() const override { return "direct"; }
  std::string_view summary() const override {
    return "a star per cell, where every cell reaches every other directly";
  }

 private:
  Outcome<Quote> make_quote(const Topology& topology, const Request& request) const override {
    if (auto refusal = refuse(topology)) return *refusal;
    const auto count = static_cast<double>(topology.live_count());
    const Shape shape{.link_load = 2 / count,
                      .cell_load = 2 * (count - 1) / count,
                      .flow_share = 1 / count,
                      .depth = 2,
                      .distance = 2};
    return quote_of(shape, request);
  }

  Outcome<Plan> make_plan(const Topology& topology, const Request&) const override {
    if (auto refusal = refuse(topology)) return *refusal;
    Plan plan;
    for (const CellId root : topology.live_cells()) {
      Flow flow{.share = 1, .root = root, .reduce = {}, .broadcast = {}};
      for (const CellId cell : topology.live_cells()) {
        if (cell == root) continue;
        flow.reduce.push_back({cell, root});
        flow.broadcast.push_back({root, cell});
      }
      plan.flows.push_back(std::move(flow));
    }
    return plan;
  }

  static std::optional<Refusal> refuse(const Topology& topology) {
    if (topology.connectivity() == Connectivity::complete) return std::nullopt;
    return Refusal{"cells of a mesh reach only their neighbours directly"};
  }
};

const RegisterPolicy<Direct> registered;

}  // namespace
}  // namespace detour
