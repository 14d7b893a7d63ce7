#include "bench/allreduce_calls.hpp"

#include "detour/detour.h"

namespace detour::tool {
namespace {

const void* mpi_send(const void* send) {
  return send == nullptr ? MPI_IN_PLACE : send;
}

}  // namespace

const AllreduceFunctions detour_allreduce{Detour_Allreduce, Detour_Iallreduce, Detour_Waitall};
const AllreduceFunctions mpi_allreduce{PMPI_Allreduce, PMPI_Iallreduce, PMPI_Waitall};

int AllreduceCalls::call(const void* send, void* receive, int count) {
  return functions_.allreduce(mpi_send(send), receive, count, type_, op_, next_comm());
}

int AllreduceCalls::begin(const void* send, void* receive, int count) {
  requests_.push_back(MPI_REQUEST_NULL);
  return functions_.iallreduce(mpi_send(send), receive, count, type_, op_, next_comm(),
                               &requests_.back());
}

int AllreduceCalls::finish() {
  statuses_.resize(requests_.size());
  const int error =
      functions_.waitall(static_cast<int>(requests_.size()), requests_.data(), statuses_.data());
  requests_.clear();
  if (error != MPI_ERR_IN_STATUS) return error;
  for (const MPI_Status& status : statuses_) {
    if (status.MPI_ERROR != MPI_SUCCESS && status.MPI_ERROR != MPI_ERR_PENDING) {
      return status.MPI_ERROR;
    }
  }
  return error;
}

}  // namespace detour::tool
