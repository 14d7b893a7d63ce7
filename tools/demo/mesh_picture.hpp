// The mesh with the job's ranks on it, and the routes that the living ones take: planned here by
// the function that every rank calls itself, and drawn as `detour plan` draws it.
#pragma once

#include <string>
#include <vector>

#include "detour/routing/mesh.hpp"
#include "detour/routing/policy.hpp"
#include "detour/routing/render.hpp"

namespace detour::demo {

class MeshPicture {
 public:
  // A rank for each cell, all on one node. Throws tool::BadInput if there is no such policy.
  MeshPicture(const Mesh& mesh, std::string policy);

  const Mesh& mesh() const { return mesh_; }
  Cell cell_of(int rank) const;

  // Lines: what the links carry, the route of one flow beside it, and a legend.
  std::vector<std::string> draw(const std::vector<int>& dead_ranks, TextStyle style) const;

  // What is typed to see all of the plan.
  std::vector<std::string> plan_command(const std::vector<int>& dead_ranks) const;

 private:
  Topology topology_without(const std::vector<int>& dead_ranks) const;

  Mesh mesh_;
  std::string policy_name_;
  const Policy* policy_;
  std::vector<CellId> cell_of_rank_;
};

}  // namespace detour::demo
