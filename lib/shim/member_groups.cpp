#include "shim/member_groups.hpp"

#include <algorithm>
#include <numeric>

#include "core/dead_ranks.hpp"

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
  MPI_Group world = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  for (const MPI_Group group : groups_) {
    int size = 0;
    PMPI_Group_size(group, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::iota(ranks.begin(), ranks.end(), 0);
    std::vector<int> translated(ranks.size(), MPI_UNDEFINED);
    PMPI_Group_translate_ranks(group, size, ranks.data(), world, translated.data());
    std::erase(translated, MPI_UNDEFINED);
    all.insert(all.end(), translated.begin(), translated.end());
  }
  PMPI_Group_free(&world);
  return all;
}

}  // namespace detour::shim
