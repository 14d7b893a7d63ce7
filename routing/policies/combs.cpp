// combs: optimal on an intact mesh of any size.
//
//     o-o-o-o-o     o o o o o     A comb of rows has all row links and one column as its spine; a
//         |         | | | | |     comb of columns has all column links and one row. There is one of
//     o-o-o-o-o     o-o-o-o-o     each for every spine. Rows get R-1 shares each, columns C-1: then
//         |         | | | | |     every link of the mesh carries (n-1)/E of the payload each way.
//     o-o-o-o-o     o o o o o
//
//     row comb      column comb
//
// The sum: C row combs of R-1 shares and R column combs of C-1 make 2RC-R-C = E shares. A row link
// is in all row combs, C(R-1), and in the one column comb of its row, C-1: RC-1 = n-1. By symmetry
// so is a column link.
//
// Price: time (n-1)/E, which is the limit T* (all cells as parts of their own prove it). Depth, up and
// down together: R-1 + 2(C-1) for the row combs with a spine at the edge, C-1 + 2(R-1) for such column
// combs, rounded up to even.
#include <algorithm>
#include <optional>

#include "detour/routing/policy.hpp"
#include "detour/routing/registry.hpp"
#include "detour/routing/tree.hpp"

namespace detour {
namespace {

class Combs final : public Policy {
 public:
  std::string_view name() const override { return "combs"; }
  std::string_view summary() const override {
    return "combs of rows and columns: reaches the limit on an intact mesh";
  }

 private:
  Outcome<Quote> make_quote(const Topology& topology, const Request& request) const override {
    if (auto refusal = refuse(topology)) return *refusal;
    const double rows = topology.mesh().rows();
    const double cols = topology.mesh().cols();
    const double links = 2 * rows * cols - rows - cols;
    const auto depth = std::max(comb_depth(topology.mesh().rows(), topology.mesh().cols()),
                                comb_depth(topology.mesh().cols(), topology.mesh().rows()));
    const double time = (rows * cols - 1) / links;
    const Shape shape{.link_load = time,
                      // Four links, all busy both ways, meet in an inner cell.
                      .cell_load = time * (std::min(rows, 3.0) + std::min(cols, 3.0) - 2),
                      .flow_share = std::max(rows, cols) / links,
                      .depth = depth,
                      .distance = depth};
    return quote_of(shape, request);
  }

  Outcome<Plan> make_plan(const Topology& topology, const Request&) const override {
    if (auto refusal = refuse(topology)) return *refusal;
    const Mesh& mesh = topology.mesh();
    const LiveGraph graph(topology);
    const Lines lines = lines_of(graph, mesh);
    Plan plan;
    // A single row has no row combs to share with, a single column no column combs.
    if (mesh.rows() > 1) {
      for (const TreeLinks& spine : lines.cols) {
        plan.flows.push_back(comb(graph, lines.rows, spine, static_cast<Share>(mesh.rows() - 1)));
      }
    }
    if (mesh.cols() > 1) {
      for (const TreeLinks& spine : lines.rows) {
        plan.flows.push_back(comb(graph, lines.cols, spine, static_cast<Share>(mesh.cols() - 1)));
      }
    }
    return plan;
  }

  // Of the comb with its spine at the edge: the longest path runs along a tooth to the spine, down
  // all of it, and out along another tooth. Its middle is the root.
  static std::int32_t comb_depth(std::int32_t spine_cells, std::int32_t tooth_cells) {
    if (spine_cells == 1) return 0;  // there is no such comb
    const std::int32_t path = 2 * (tooth_cells - 1) + spine_cells - 1;
    return 2 * ((path + 1) / 2);
  }

  // The links of the mesh by line: every row's and every column's.
  struct Lines {
    std::vector<TreeLinks> rows;
    std::vector<TreeLinks> cols;
  };

  static Lines lines_of(const LiveGraph& graph, const Mesh& mesh) {
    Lines lines{std::vector<TreeLinks>(static_cast<std::size_t>(mesh.rows())),
                std::vector<TreeLinks>(static_cast<std::size_t>(mesh.cols()))};
    for (LiveGraph::LinkId id = 0; id < graph.link_count(); ++id) {
      const Cell a = mesh.cell(graph.cell(graph.link(id).a));
      const Cell b = mesh.cell(graph.cell(graph.link(id).b));
      auto& line = a.row == b.row ? lines.rows[static_cast<std::size_t>(a.row)]
                                  : lines.cols[static_cast<std::size_t>(a.col)];
      line.push_back(id);
    }
    return lines;
  }

  static Flow comb(const LiveGraph& graph, const std::vector<TreeLinks>& teeth,
                   const TreeLinks& spine, Share share) {
    TreeLinks links = spine;
    for (const TreeLinks& tooth : teeth) links.insert(links.end(), tooth.begin(), tooth.end());
    return centred_flow(graph, links, share);
  }

  static std::optional<Refusal> refuse(const Topology& topology) {
    if (topology.faults().count() == 0) return std::nullopt;
    return Refusal{"the mesh has holes, and combs need every row and column whole"};
  }
};

const RegisterPolicy<Combs> registered;

}  // namespace
}  // namespace detour
