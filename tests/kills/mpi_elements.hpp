// The element types as MPI has them.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace detour::kills {

// Lives from MPI_Init to MPI_Finalize.
class MpiElements {
 public:
  MpiElements();
  ~MpiElements();
  MpiElements(const MpiElements&) = delete;
  MpiElements& operator=(const MpiElements&) = delete;

  MPI_Datatype type(std::size_t number) const;
  MPI_Op operation(std::size_t number) const;

 private:
  MPI_Datatype word_ = MPI_DATATYPE_NULL;
  MPI_Datatype spread_ = MPI_DATATYPE_NULL;
  MPI_Op join_ = MPI_OP_NULL;
  MPI_Op add_spread_ = MPI_OP_NULL;
};

}  // namespace detour::kills
