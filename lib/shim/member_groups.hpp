// Who belongs to a communicator, a window or a file, also after that is gone.
#pragma once

#include <mpi.h>

#include <vector>

namespace detour::shim {

class MemberGroups {
 public:
  // Both groups of a communicator that has two.
  explicit MemberGroups(MPI_Comm comm);
  explicit MemberGroups(MPI_Win win);
  explicit MemberGroups(MPI_File file);
  ~MemberGroups();
  MemberGroups(const MemberGroups&) = delete;
  MemberGroups& operator=(const MemberGroups&) = delete;

  // By the numbers that they have there.
  std::vector<int> dead() const;
  // Of all that have one: processes of other worlds have none.
  std::vector<int> world_ranks() const;

 private:
  std::vector<MPI_Group> groups_;
};

}  // namespace detour::shim
