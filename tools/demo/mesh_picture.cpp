#include "demo/mesh_picture.hpp"

#include <sstream>
#include <utility>

#include "placement/placement.hpp"
#include "planning.hpp"

namespace detour::demo {
namespace {

std::vector<CellId> place_on_one_node(const Mesh& mesh) {
  Settings settings;
  settings.mesh = mesh;
  const std::vector<RankLocation> locations(static_cast<std::size_t>(mesh.cell_count()));
  return place_ranks(locations, settings).value().cell_of_rank;
}

std::string text_of(Cell cell) {
  return std::to_string(cell.row) + "," + std::to_string(cell.col);
}

}  // namespace

MeshPicture::MeshPicture(const Mesh& mesh, std::string policy)
    : mesh_(mesh),
      policy_name_(std::move(policy)),
      policy_(&tool::find_policy(policy_name_)),
      cell_of_rank_(place_on_one_node(mesh)) {}

Cell MeshPicture::cell_of(int rank) const {
  return mesh_.cell(cell_of_rank_.at(static_cast<std::size_t>(rank)));
}

std::vector<std::string> MeshPicture::draw(const std::vector<int>& dead_ranks,
                                           TextStyle style) const {
  const Topology topology = topology_without(dead_ranks);
  if (topology.live_cells().empty()) return {"nobody is alive"};
  const Plan plan = tool::make_plan(*policy_, topology, {});
  std::istringstream text(render_text(topology, plan, style));
  std::vector<std::string> lines;
  // Titles, numbers of columns, rows and the links between them, and after an empty line what cells
  // look like.
  const auto line_count = static_cast<std::size_t>(2 + 2 * mesh_.rows() - 1 + 2);
  for (std::string line; lines.size() < line_count && std::getline(text, line);) {
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> MeshPicture::plan_command(const std::vector<int>& dead_ranks) const {
  std::vector<std::string> words{"plan", "--mesh",
                                 std::to_string(mesh_.rows()) + "x" + std::to_string(mesh_.cols())};
  for (const int rank : dead_ranks) words.insert(words.end(), {"--fail", text_of(cell_of(rank))});
  words.insert(words.end(), {"--policy", policy_name_});
  if (policy_name_ == "direct") words.push_back("--complete");
  return words;
}

Topology MeshPicture::topology_without(const std::vector<int>& dead_ranks) const {
  FaultSet faults(mesh_);
  for (const int rank : dead_ranks) faults.fail(mesh_.id(cell_of(rank)));
  const bool is_direct = policy_name_ == "direct";
  return Topology(mesh_, faults, is_direct ? Connectivity::complete : Connectivity::mesh, true);
}

}  // namespace detour::demo
