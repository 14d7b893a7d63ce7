#include "mpi/translated_ranks.hpp"

#include <numeric>

namespace detour {

std::vector<int> ranks_in(MPI_Comm comm, MPI_Group group) {
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> translated(ranks.size(), MPI_UNDEFINED);
  MPI_Group all = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &all);
  PMPI_Group_translate_ranks(group, size, ranks.data(), all, translated.data());
  PMPI_Group_free(&all);
  return translated;
}

std::vector<int> world_ranks_of(MPI_Comm comm) {
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  auto ranks = ranks_in(MPI_COMM_WORLD, group);
  PMPI_Group_free(&group);
  return ranks;
}

int world_rank_of(MPI_Comm comm, int peer) {
  int is_between_groups = 0;
  int size = 0;
  MPI_Group peers = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  PMPI_Comm_test_inter(comm, &is_between_groups);
  is_between_groups != 0 ? PMPI_Comm_remote_group(comm, &peers) : PMPI_Comm_group(comm, &peers);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_size(peers, &size);
  int world_rank = MPI_UNDEFINED;
  if (peer >= 0 && peer < size) {
    PMPI_Group_translate_ranks(peers, 1, &peer, world, &world_rank);
  }
  PMPI_Group_free(&peers);
  PMPI_Group_free(&world);
  return world_rank;
}

}  // namespace detour
