// Whatever allocation fails in a call: it ends with an error, as the C interface says, and the next call works.
#include <cstdlib>
#include <new>
#include <vector>

#include "detour/detour.h"
#include "mpi_program.hpp"

namespace {

// How many allocations of this thread, in the library too, succeed before one fails; none fails if negative.
thread_local long allocations_left = -1;

bool next_one_fails() {
  return allocations_left >= 0 && allocations_left-- == 0;
}

}  // namespace

__attribute__((visibility("default"))) void* operator new(std::size_t bytes) {
  if (next_one_fails()) throw std::bad_alloc();
  if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
__attribute__((visibility("default"))) void operator delete(void* memory) noexcept {
  std::free(memory);
}
__attribute__((visibility("default"))) void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace {

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
  allocations_left = -1;
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
  allocations_left = count;
  const int error = call(type.get(), comm);
  const bool one_failed = allocations_left < 0 && error != MPI_SUCCESS;
  allocations_left = -1;
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
