// MPI's definition of a datatype, taken literally: the list of all its basic elements.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace detour::test {

struct Basic {
  MPI_Aint offset_bytes = 0;
  std::size_t bytes = 0;
};

std::vector<Basic> type_map(MPI_Datatype type, int count);

}  // namespace detour::test
