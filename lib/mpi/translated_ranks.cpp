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

}  // namespace detour
