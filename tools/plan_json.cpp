#include "plan_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "detour/routing/cost_model.hpp"

namespace detour::tool {
namespace {

using nlohmann::json;

class JsonWriter {
 public:
  JsonWriter(std::ostream& out, const Topology& topology) : out_(out), topology_(topology) {
    // Cells make up nearly all of the text, so each is put into words once.
    for (CellId id = 0; id < topology.mesh().cell_count(); ++id) {
      const Cell cell = topology.mesh().cell(id);
      cell_texts_.push_back(json::array({cell.row, cell.col}).dump());
    }
  }

  void write(const Plan& plan, const Bound& bound) {
    const Mesh& mesh = topology_.mesh();
    out_ << "{\"mesh\":{\"rows\":" << mesh.rows() << ",\"cols\":" << mesh.cols()
         << "},\"failed\":" << cells_text(failed_cells())
         << ",\"policy\":" << json(plan.policy).dump() << ",\"flows\":[";
    write_flows(plan);
    out_ << "],\"bridges\":" << hops_text(plan.bridges) << ",\"time\":";
    write_time(plan, bound);
    out_ << "}\n";
  }

 private:
  const std::string& text(CellId cell) const { return cell_texts_[static_cast<std::size_t>(cell)]; }

  std::string cells_text(const std::vector<CellId>& cells) const {
    std::string list = "[";
    for (const CellId cell : cells) {
      if (list.size() > 1) list += ',';
      list += text(cell);
    }
    return list += ']';
  }

  std::string hops_text(const std::vector<Hop>& hops) const {
    std::string list = "[";
    for (const Hop& hop : hops) {
      if (list.size() > 1) list += ',';
      list += '[';
      list += text(hop.from);
      list += ',';
      list += text(hop.to);
      list += ']';
    }
    return list += ']';
  }

  std::vector<CellId> failed_cells() const {
    std::vector<CellId> failed;
    for (CellId cell = 0; cell < topology_.mesh().cell_count(); ++cell) {
      if (!topology_.live(cell)) failed.push_back(cell);
    }
    return failed;
  }

  void write_flow(const Flow& flow, double total_share) {
    out_ << "{\"share\":" << json(flow.share / total_share).dump()
         << ",\"root\":" << text(flow.root) << ",\"reduce\":" << hops_text(flow.reduce)
         << ",\"broadcast\":" << hops_text(flow.broadcast) << '}';
  }

  // Not for_each_flow, which can't be left early.
  void write_flows(const Plan& plan) {
    const auto total_share = static_cast<double>(plan.total_share);
    bool first = true;
    const auto write_next = [&](const Flow& flow) {
      if (!first) out_ << ',';
      first = false;
      write_flow(flow, total_share);
      return static_cast<bool>(out_);
    };
    for (const Flow& flow : plan.flows) {
      if (!write_next(flow)) return;
    }
    for (const Cycle& cycle : plan.cycles) {
      for (std::size_t index = 0; index < cycle.order.size(); ++index) {
        if (!write_next(expand(cycle, index))) return;
      }
    }
  }

  void write_time(const Plan& plan, const Bound& bound) {
    out_ << "{\"predicted\":" << json(shape(topology_, plan).link_load).dump() << ",\"limit\":"
         << (std::isfinite(bound.time()) ? json(bound.time()) : json(nullptr)).dump()
         << ",\"limit_partition\":[";
    for (std::size_t part = 0; part < bound.partition.size(); ++part) {
      out_ << (part == 0 ? "" : ",") << cells_text(bound.partition[part]);
    }
    out_ << "]}";
  }

  std::ostream& out_;
  const Topology& topology_;
  std::vector<std::string> cell_texts_;
};

}  // namespace

void write_json(std::ostream& out, const Topology& topology, const Plan& plan, const Bound& bound) {
  JsonWriter(out, topology).write(plan, bound);
}

}  // namespace detour::tool
