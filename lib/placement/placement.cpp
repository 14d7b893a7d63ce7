#include "placement/placement.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>

#include "placement/hardware_place.hpp"
#include "placement/mesh_choice.hpp"
#include "value_text.hpp"

namespace detour {
namespace {

static_assert(std::is_trivially_copyable_v<RankLocation> && sizeof(RankLocation) == 24,
              "without padding, because ranks exchange its bytes");

std::size_t index(std::int32_t number) {
  return static_cast<std::size_t>(number);
}

// Nodes are numbered in the order of their first ranks.
std::vector<std::int32_t> number_nodes(std::span<const RankLocation> locations) {
  std::map<HostIdentity, std::int32_t> numbers;
  std::vector<std::int32_t> node_of_rank;
  for (const RankLocation& location : locations) {
    const auto next = static_cast<std::int32_t>(numbers.size());
    node_of_rank.push_back(numbers.emplace(location.host, next).first->second);
  }
  return node_of_rank;
}

// Ranks in the order in which they are laid along the snake.
std::vector<Rank> sort_ranks(std::span<const RankLocation> locations,
                             const std::vector<std::int32_t>& node_of_rank) {
  std::vector<Rank> ranks(locations.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  const auto key = [&](Rank rank) {
    const RankLocation& location = locations[index(rank)];
    return std::tuple(node_of_rank[index(rank)], location.numa, location.core, rank);
  };
  std::sort(ranks.begin(), ranks.end(), [&](Rank a, Rank b) { return key(a) < key(b); });
  return ranks;
}

std::vector<std::vector<Rank>> group_ranks(const std::vector<Rank>& ranks,
                                           const std::vector<std::int32_t>& node_of_rank,
                                           CellContent content) {
  std::vector<std::vector<Rank>> groups;
  for (const Rank rank : ranks) {
    const bool same_node =
        !groups.empty() && node_of_rank[index(groups.back().front())] == node_of_rank[index(rank)];
    if (content == CellContent::rank || !same_node) groups.emplace_back();
    groups.back().push_back(rank);
  }
  return groups;
}

Outcome<Mesh> mesh_for(std::size_t cell_count, CellContent content, const Settings& settings) {
  const std::string needed =
      std::to_string(cell_count) + (content == CellContent::rank ? " ranks" : " nodes");
  if (settings.mesh) {
    if (index(settings.mesh->cell_count()) >= cell_count) return *settings.mesh;
    return Failure{"the mesh " + mesh_text(*settings.mesh) + " has " +
                   std::to_string(settings.mesh->cell_count()) + " cells, too few for " + needed +
                   " with a cell each"};
  }
  if (cell_count > Mesh::cell_count_max) {
    return Failure{"a mesh has " + std::to_string(Mesh::cell_count_max) +
                   " cells at most, too few for " + needed + " with a cell each"};
  }
  return choose_mesh(static_cast<std::int32_t>(cell_count));
}

CellId snake_cell(const Mesh& mesh, std::int32_t step) {
  const std::int32_t row = step / mesh.cols();
  const std::int32_t col = step % mesh.cols();
  return mesh.id({row, row % 2 == 0 ? col : mesh.cols() - 1 - col});
}

Placement lay_out(const Mesh& mesh, std::vector<std::vector<Rank>> groups, CellContent content,
                  std::vector<std::int32_t> node_of_rank) {
  FaultSet holes(mesh);
  std::vector<CellId> cell_of_rank(node_of_rank.size(), no_cell);
  std::vector<std::vector<Rank>> ranks_of_cell(index(mesh.cell_count()));
  for (std::int32_t step = 0; step < mesh.cell_count(); ++step) {
    const CellId cell = snake_cell(mesh, step);
    if (index(step) >= groups.size()) {
      holes.fail(cell);
      continue;
    }
    for (const Rank rank : groups[index(step)]) cell_of_rank[index(rank)] = cell;
    ranks_of_cell[index(cell)] = std::move(groups[index(step)]);
  }
  const std::int32_t node_count = 1 + *std::max_element(node_of_rank.begin(), node_of_rank.end());
  return Placement{.mesh = mesh,
                   .holes = std::move(holes),
                   .cells = CellMap(std::move(ranks_of_cell)),
                   .content = content,
                   .cell_of_rank = std::move(cell_of_rank),
                   .node_of_rank = std::move(node_of_rank),
                   .node_count = node_count};
}

}  // namespace

RankLocation own_location() {
  const HardwarePlace& place = hardware_place();
  return {host_identity(), place.numa, place.core};
}

Outcome<Placement> place_ranks(std::span<const RankLocation> locations, const Settings& settings) {
  if (locations.empty()) return Failure{"no ranks to place"};
  auto node_of_rank = number_nodes(locations);
  const bool one_node = std::all_of(node_of_rank.begin(), node_of_rank.end(),
                                    [](std::int32_t node) { return node == 0; });
  const CellContent content =
      settings.cells.value_or(one_node ? CellContent::rank : CellContent::node);
  auto groups = group_ranks(sort_ranks(locations, node_of_rank), node_of_rank, content);
  const auto mesh = mesh_for(groups.size(), content, settings);
  if (!mesh.ok()) return mesh.without_value<Placement>();
  return lay_out(mesh.value(), std::move(groups), content, std::move(node_of_rank));
}

}  // namespace detour
