// Arguments as Fortran programs pass them, turned into those of C and back.
#pragma once

#include <mpi.h>

#include <vector>

namespace detour::shim {

static_assert(sizeof(MPI_Fint) == sizeof(int), "lists of counts are passed on as they are");

inline MPI_Comm comm_of(const MPI_Fint* comm) {
  return PMPI_Comm_f2c(*comm);
}
inline MPI_Datatype type_of(const MPI_Fint* type) {
  return PMPI_Type_f2c(*type);
}
inline MPI_Op op_of(const MPI_Fint* op) {
  return PMPI_Op_f2c(*op);
}

// MPI_IN_PLACE and MPI_BOTTOM are addresses of variables in Fortran.
const void* buffer_of(const void* buffer);
void* buffer_of(void* buffer);

inline void store_error(MPI_Fint* error, int result) {
  if (error != nullptr) *error = result;
}

inline void store_flag(MPI_Fint* logical, int flag) {
  *logical = flag != 0 ? 1 : 0;  // odd numbers are true for every compiler, even ones false
}

// Counted from 1 in Fortran.
inline void store_index(MPI_Fint* position, int index) {
  *position = index == MPI_UNDEFINED ? MPI_UNDEFINED : index + 1;
}

// Where statuses go, unless the program does not want them. Calls may leave parts of a status as they were,
// so these start out with what the program has there.
class Statuses {
 public:
  Statuses(MPI_Fint* statuses, int count);
  MPI_Status* get() { return is_ignored_ ? MPI_STATUSES_IGNORE : statuses_.data(); }
  void store() const;

 private:
  static constexpr int fint_count = sizeof(MPI_Status) / sizeof(MPI_Fint);

  MPI_Fint* fortran_;
  bool is_ignored_;
  std::vector<MPI_Status> statuses_;
};

// A list of requests, of which the call takes some away.
class Requests {
 public:
  Requests(MPI_Fint* requests, int count);
  MPI_Request* get() { return requests_.data(); }
  void store() const;

 private:
  MPI_Fint* fortran_;
  std::vector<MPI_Request> requests_;
};

}  // namespace detour::shim
