// Detour's or MPI's allreduce on one communicator, call by call or many at once.
#pragma once

#include <mpi.h>

#include <vector>

namespace detour::tool {

// Detour's and MPI's have the same signatures.
struct AllreduceFunctions {
  decltype(PMPI_Allreduce)* allreduce;
  decltype(PMPI_Iallreduce)* iallreduce;
  decltype(PMPI_Waitall)* waitall;
};

extern const AllreduceFunctions detour_allreduce;
extern const AllreduceFunctions mpi_allreduce;

// Calls give an error code of MPI's. `send` is null for an operation in place.
class AllreduceCalls {
 public:
  AllreduceCalls(const AllreduceFunctions& functions, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
      : functions_(functions), type_(type), op_(op), comm_(comm) {}

  int call(const void* send, void* receive, int count) const;

  int begin(const void* send, void* receive, int count);
  // Waits for all that were begun. The error is that of the first one that has any.
  int finish();

 private:
  AllreduceFunctions functions_;
  MPI_Datatype type_;
  MPI_Op op_;
  MPI_Comm comm_;
  std::vector<MPI_Request> requests_;
  std::vector<MPI_Status> statuses_;
};

}  // namespace detour::tool
