// Whatever allocation fails in a call: it ends with an error, as the C interface says, and the next call works.
#include "detour/detour.h"
#include "failing_new.hpp"
#include "mpi_program.hpp"

namespace {

using detour::test::allocation_limits;

// Every second number.
class Type {
 public:
  Type() {
    MPI_Type_vector(10, 1, 2, MPI_INT, &type_);
    MPI_Type_commit(&type_);
  }
  ~Type() { MPI_Type_free(&type_); }
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;

  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

using Call = int (*)(MPI_Datatype type, MPI_Comm comm);

int broadcast(MPI_Datatype type, MPI_Comm comm) {
  int numbers[20] = {};
  return Detour_Bcast(numbers, 1, type, 0, comm);
}

int gather(MPI_Datatype type, MPI_Comm comm) {
  int numbers[20] = {};
  int all[20] = {};
  const int count = 1;
  const int place = 0;
  return Detour_Allgatherv(numbers, 1, type, all, &count, &place, type, comm);
}

int begin_and_wait(MPI_Datatype, MPI_Comm comm) {
  int own = 1;
  int sum = 0;
  if (const int error = Detour_Prepare(comm); error != MPI_SUCCESS) return error;
  MPI_Request request = MPI_REQUEST_NULL;
  const int error = Detour_Iallreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
  allocation_limits() = {};
  if (error == MPI_SUCCESS) Detour_Wait(&request, MPI_STATUS_IGNORE);
  return error;
}

int set(MPI_Datatype, MPI_Comm comm) {
  return Detour_Set(comm, "policy", "tree");
}

// True if there were so many allocations.
bool fail_after(long count, Call call) {
  const Type type;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  allocation_limits().count_left = count;
  const int error = call(type.get(), comm);
  const bool one_failed = allocation_limits().count_left < 0 && error != MPI_SUCCESS;
  allocation_limits() = {};
  CHECK_THAT_HOLDS(error == MPI_SUCCESS || error == MPI_ERR_NO_MEM || error == MPI_ERR_OTHER);
  CHECK_THAT_HOLDS(call(type.get(), comm) == MPI_SUCCESS);
  MPI_Comm_free(&comm);
  return one_failed;
}

}  // namespace

int main() {
  const detour::test::MpiProgram program;
  for (const Call call : {broadcast, gather, begin_and_wait, set}) {
    long count = 0;
    long failed_count = 0;
    // Some failures are made up for, so that the first success is not the end.
    for (; count < 200; ++count) failed_count += fail_after(count, call) ? 1 : 0;
    CHECK_THAT_HOLDS(failed_count > 0 && failed_count < count);
  }
  return program.finish();
}
