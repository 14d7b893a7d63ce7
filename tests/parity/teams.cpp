#include "teams.hpp"

#include <cstdlib>
#include <iostream>

#include "detour/detour.h"

namespace detour::parity {
namespace {

MPI_Comm split(Group group) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm comm = MPI_COMM_NULL;
  if (group == Group::world) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  } else {
    MPI_Comm_split(MPI_COMM_WORLD, static_cast<int>(color_of(group, rank)),
                   group == Group::reversed ? -rank : rank, &comm);
  }
  return comm;
}

Team make_team(Group group, const std::string& policy) {
  Team team;
  int world_rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  team.comm = split(group);
  MPI_Comm_set_errhandler(team.comm, MPI_ERRORS_RETURN);
  MPI_Comm_rank(team.comm, &team.rank);
  MPI_Comm_size(team.comm, &team.size);
  team.color = color_of(group, world_rank);
  // Without the policy that is asked for, whatever follows shows nothing.
  if (Detour_Set(team.comm, "policy", policy.c_str()) != MPI_SUCCESS) {
    std::cerr << "parity: policy " << policy << " can't be set\n";
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return team;
}

}  // namespace

std::uint64_t color_of(Group group, int world_rank) {
  return group == Group::halves ? static_cast<std::uint64_t>(world_rank % 2) : 0;
}

Teams::~Teams() {
  for (auto& [key, team] : teams_) MPI_Comm_free(&team.comm);
}

const Team& Teams::find(Group group, const std::string& policy) {
  const auto key = std::make_pair(group, policy);
  auto found = teams_.find(key);
  if (found == teams_.end()) found = teams_.emplace(key, make_team(group, policy)).first;
  return found->second;
}

std::uint64_t Teams::operation_count() const {
  std::uint64_t sum = 0;
  for (const auto& [key, team] : teams_) {
    Detour_Statistics statistics{};
    Detour_Get_statistics(team.comm, &statistics);
    sum += statistics.operation_count;
  }
  return sum;
}

}  // namespace detour::parity
