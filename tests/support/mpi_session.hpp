// MPI in a test program: started by the first test case that needs it.
#pragma once

#include <mpi.h>

#include "mpi/type_cache.hpp"

namespace detour::test {

// Test cases that use MPI derive from it (TEST_CASE_METHOD).
class MpiSession {
 public:
  MpiSession() {
    int started = 0;
    PMPI_Initialized(&started);
    if (!started) {
      int level = 0;
      PMPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level);
      PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
      PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    }
  }
};

inline void end_mpi() {
  int started = 0;
  PMPI_Initialized(&started);
  if (started) {
    release_type_cache();
    PMPI_Finalize();
  }
}

// A datatype that ends with its scope.
class OwnType {
 public:
  explicit OwnType(MPI_Datatype type) : type_(type) { PMPI_Type_commit(&type_); }
  OwnType(const OwnType&) = delete;
  OwnType& operator=(const OwnType&) = delete;
  ~OwnType() { PMPI_Type_free(&type_); }
  operator MPI_Datatype() const { return type_; }

 private:
  MPI_Datatype type_;
};

}  // namespace detour::test
