// Detour's or MPI's allreduce on a communicator, or on several in turn, call by call or many at once.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <utility>
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
  AllreduceCalls(const AllreduceFunctions& functions, MPI_Datatype type, MPI_Op op,
                 std::vector<MPI_Comm> comms)
      : functions_(functions), type_(type), op_(op), comms_(std::move(comms)) {}

  int call(const void* send, void* receive, int count);

  int begin(const void* send, void* receive, int count);
  // Waits for all that were begun. The error is that of the first one that has any.
  int finish();

 private:
  // All ranks make the same calls, so that all have the same turn.
  MPI_Comm next_comm() { return comms_[turn_++ % comms_.size()]; }

  AllreduceFunctions functions_;
  MPI_Datatype type_;
  MPI_Op op_;
  std::vector<MPI_Comm> comms_;
  std::size_t turn_ = 0;
  std::vector<MPI_Request> requests_;
  std::vector<MPI_Status> statuses_;
};

}  // namespace detour::tool
