// ring2d: rings round pairs of rows, joined along columns; the published scheme for a mesh.
//
//     o-o o o-o-o    One flow per column c and row of a pair. In every pair the data run round
//     |   |     |    both ends of the pair to column c and arrive in its lower cell (or, in the
//     o-o-O-o-o-o    other flow, in its upper one): from the right of c along the upper row, round
//         |          the end, back along the lower row; from the left likewise. The upper cell of
//     o-o o o-o-o    column c hands its data straight down, and the pairs are joined along column
//     |   |     |    c. So a column owns 1/C of the payload, which is reduced onto it in every pair
//     o-o-O-o-o-o    and along it; the broadcast runs back the same way.
//         c
//
//     o-o-o-o-o-o    A pair with a dead cell in it is no ring. Its cells hand their data across to
//     |         |    the next whole pair and get the sum back from it; to relieve these links each
//     o-o-o-o-o-o    flow has one column, far from its own, whose cells hand over along the row.
//     | |     | |    Where c is dead in the gap between two pairs, the nearest column that is not
//     o o # # o o    joins them. Rows pair up as they come, so a hole costs no more pairs than it
//     o o # # o o    touches, and an odd last row is handed over like a hit one. Columns are
//     | |     | |    paired instead of rows if that leaves fewer cells out, or else if they are
//     o-o-o-o-o-o    shorter.
//     |         |
//     o-o-o-o-o-o
//
// Price, lines of C cells: two of the 2C flows leave out a given link along a row, so it carries
// (C-1)/C. The links at the ends of a pair would be in all flows; two flows cut the ring there
// instead, and no link carries more than (2C-1)/2C. Columns carry 1/C each. Hand-over links carry
// (C-1)/C, and 1 where a cell has no second way out. Depth 4(C-1) + R-2: far less than the 2(RC-1)
// of one ring.
#include <cstdlib>
#include <optional>
#include <utility>

#include "detour/routing/policy.hpp"
#include "detour/routing/registry.hpp"
#include "detour/routing/tree.hpp"
#include "hand_over.hpp"
#include "line_pairs.hpp"
#include "union_find.hpp"

namespace detour {
namespace {

using LinkId = LiveGraph::LinkId;

// Makes the flows one by one.
class PairFlows {
 public:
  explicit PairFlows(const LinePairs& lines)
      : lines_(lines), hand_over_(lines), joined_(lines.graph().node_count()) {}

  const HandOver& hand_over() const { return hand_over_; }

  // The flow of a column; its data arrive in the second line of each pair, or in the first.
  Flow flow(std::int32_t column, bool into_second) {
    joined_.reset();
    tree_.clear();
    extra_rungs_.assign(lines_.pairs().size(), {});
    join_pairs(column);
    for (std::size_t pair = 0; pair < lines_.pairs().size(); ++pair) {
      add_pair(lines_.pairs()[pair], extra_rungs_[pair], column, into_second);
    }
    add_guests((column + lines_.length() / 2) % lines_.length());
    return centred_flow(lines_.graph(), tree_, 1);
  }

 private:
  // Leaves the link out if its ends are joined already.
  void add(LinkId id) {
    const auto [a, b] = lines_.graph().link(id);
    if (joined_.unite(a, b)) tree_.push_back(id);
  }

  // The near line, the rungs, and the far line from its ends inwards: where that would close a ring
  // the link is left out, which cuts the ring next to the column.
  void add_pair(const LinePairs::Pair& pair, const std::vector<std::int32_t>& extra_rungs,
                std::int32_t column, bool into_second) {
    const std::int32_t last = lines_.length() - 1;
    const auto rung = [&](std::int32_t at) { add(pair.rungs[static_cast<std::size_t>(at)]); };
    for (const LinkId link : into_second ? pair.along_second : pair.along_first) add(link);
    rung(column);
    for (const std::int32_t at : extra_rungs) rung(at);
    const bool cut_at_left_end = column == 1 && !into_second;
    const bool cut_at_right_end = column == last - 1 && into_second;
    if (!cut_at_left_end) rung(0);
    if (!cut_at_right_end) rung(last);
    const auto& far = into_second ? pair.along_first : pair.along_second;
    for (std::int32_t at = 0; at < column; ++at) add(far[static_cast<std::size_t>(at)]);
    for (std::int32_t at = last - 1; at >= column; --at) add(far[static_cast<std::size_t>(at)]);
  }

  // Shortest gaps first, each near the column. Where that is beside it, the pairs get a rung there
  // too: otherwise half of all data would have to run round the end of a pair.
  void join_pairs(std::int32_t column) {
    UnionFind pairs(static_cast<std::int32_t>(lines_.pairs().size()));
    for (const auto& gap : hand_over_.gaps()) {
      if (!pairs.unite(gap.pair_a, gap.pair_b)) continue;
      const auto cost = [column](const HandOver::Crossing& crossing) {
        return std::abs(crossing.position - column) + crossing.length;
      };
      const HandOver::Crossing* best = &gap.crossings.front();
      for (const auto& crossing : gap.crossings) {
        if (cost(crossing) < cost(*best)) best = &crossing;
      }
      add(best->link);
      const bool has_rung =
          best->position == column || best->position == 0 || best->position == lines_.length() - 1;
      if (has_rung) continue;
      for (const std::int32_t pair : {gap.pair_a, gap.pair_b}) {
        extra_rungs_[static_cast<std::size_t>(pair)].push_back(best->position);
      }
    }
  }

  // Their ways together reach every cell, whatever was added before them.
  void add_guests(std::int32_t relieved_column) {
    const auto& guests = hand_over_.guests();
    for (const auto& guest : guests) {
      if (guest.position != relieved_column) add(guest.way);
    }
    for (const auto& guest : guests) {
      if (guest.position != relieved_column) continue;
      if (guest.other_way != HandOver::no_link) add(guest.other_way);
    }
    for (const auto& guest : guests) {
      if (guest.position == relieved_column) add(guest.way);
    }
  }

  const LinePairs& lines_;
  HandOver hand_over_;
  UnionFind joined_;
  TreeLinks tree_;
  std::vector<std::vector<std::int32_t>> extra_rungs_;  // by pair: positions
};

class Ring2d final : public Policy {
 public:
  std::string_view name() const override { return "ring2d"; }
  std::string_view summary() const override {
    return "rings round pairs of rows, joined along columns; hit pairs hand over to the next";
  }

 private:
  Outcome<Quote> make_quote(const Topology& topology, const Request& request) const override {
    const LiveGraph graph(topology);
    const auto lines = LinePairs::best(topology, graph);
    if (!lines) return refusal();
    PairFlows flows(*lines);

    // The flows of the outer columns are the deepest.
    Plan outermost;
    for (const std::int32_t column : {0, lines->length() - 1}) {
      for (const bool into_second : {true, false}) {
        outermost.flows.push_back(flows.flow(column, into_second));
      }
    }
    Shape estimate = shape(topology, outermost);

    const double flow_count = 2.0 * lines->length();
    estimate.flow_share = 1 / flow_count;
    estimate.link_load = has_single_way(flows.hand_over()) ? 1 : (flow_count - 1) / flow_count;
    // At least what any plan takes: a quote that is too high would never be looked at again.
    estimate.cell_load = 2 * (topology.live_count() - 1.0) / topology.live_count();
    return quote_of(estimate, request);
  }

  Outcome<Plan> make_plan(const Topology& topology, const Request&) const override {
    const LiveGraph graph(topology);
    const auto lines = LinePairs::best(topology, graph);
    if (!lines) return refusal();
    PairFlows flows(*lines);
    Plan plan;
    for (std::int32_t column = 0; column < lines->length(); ++column) {
      plan.flows.push_back(flows.flow(column, true));
      plan.flows.push_back(flows.flow(column, false));
    }
    return plan;
  }

  static Refusal refusal() {
    return {"no two rows or columns side by side, of two cells or more, are without failed cells"};
  }

  // Whether some link is in every flow because there is nothing instead of it.
  static bool has_single_way(const HandOver& hand_over) {
    for (const auto& guest : hand_over.guests()) {
      if (guest.other_way == HandOver::no_link) return true;
    }
    return false;
  }
};

const RegisterPolicy<Ring2d> registered;

}  // namespace
}  // namespace detour
