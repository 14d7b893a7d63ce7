#include "shim/member_groups.hpp"

#include "core/dead_ranks.hpp"
#include "mpi/translated_ranks.hpp"

namespace detour::shim {

MemberGroups::MemberGroups(MPI_Comm comm) : groups_(1, MPI_GROUP_NULL) {
  PMPI_Comm_group(comm, groups_.data());
  int is_between_groups = 0;
  PMPI_Comm_test_inter(comm, &is_between_groups);
  if (is_between_groups == 0) return;
  MPI_Group remote = MPI_GROUP_NULL;
  PMPI_Comm_remote_group(comm, &remote);
  groups_.push_back(remote);
}

MemberGroups::MemberGroups(MPI_Win win) : groups_(1, MPI_GROUP_NULL) {
  PMPI_Win_get_group(win, groups_.data());
}

MemberGroups::MemberGroups(MPI_File file) : groups_(1, MPI_GROUP_NULL) {
  PMPI_File_get_group(file, groups_.data());
}

MemberGroups::~MemberGroups() {
  for (MPI_Group& group : groups_) PMPI_Group_free(&group);
}

std::vector<int> MemberGroups::dead() const {
  std::vector<int> dead;
  for (const MPI_Group group : groups_) {
    const std::vector<int> dead_there = dead_ranks_of_group(group);
    dead.insert(dead.end(), dead_there.begin(), dead_there.end());
  }
  return dead;
}

std::vector<int> MemberGroups::world_ranks() const {
  std::vector<int> all;
  for (const MPI_Group group : groups_) {
    const auto ranks = ranks_in(MPI_COMM_WORLD, group);
    all.insert(all.end(), ranks.begin(), ranks.end());
  }
  std::erase(all, MPI_UNDEFINED);
  return all;
}

}  // namespace detour::shim
