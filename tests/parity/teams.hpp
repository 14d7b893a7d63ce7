// The communicators that combinations run on: one for every group of ranks and every policy.
#pragma once

#include <mpi.h>

#include <map>
#include <string>
#include <utility>

#include "combination.hpp"

namespace detour::parity {

struct Team {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
  int size = 0;
  std::uint64_t color = 0;  // teams of different colors hold different data
};

// Of the team that a rank of the world belongs to.
std::uint64_t color_of(Group group, int world_rank);

class Teams {
 public:
  Teams() = default;
  ~Teams();
  Teams(const Teams&) = delete;
  Teams& operator=(const Teams&) = delete;

  // Collective over the world the first time.
  const Team& find(Group group, const std::string& policy);

  // How many calls of this rank the library has done itself instead of leaving them to MPI.
  std::uint64_t operation_count() const;

 private:
  std::map<std::pair<Group, std::string>, Team> teams_;
};

}  // namespace detour::parity
