// A test program of several ranks, from MPI_Init to MPI_Finalize.
#pragma once

#include <mpi.h>

#include "api/cpp_checks.hpp"

namespace detour::test {

class MpiProgram {
 public:
  // Errors are returned.
  explicit MpiProgram(int thread_level = MPI_THREAD_SINGLE) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, thread_level, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  MpiProgram(const MpiProgram&) = delete;
  MpiProgram& operator=(const MpiProgram&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  int sum_of_ranks() const { return size_ * (size_ - 1) / 2; }

  // What main returns.
  int finish() const {
    MPI_Finalize();
    return failure_count == 0 ? 0 : 1;
  }

 private:
  int rank_ = 0;
  int size_ = 1;
};

// A user's operation on elements of ints of any number; the datatype has no gaps.
inline void add_ints(void* input, void* inout, int* count, MPI_Datatype* type) {
  int bytes = 0;
  MPI_Type_size(*type, &bytes);
  const long long int_count = static_cast<long long>(bytes) / 4 * *count;
  const int* const from = static_cast<const int*>(input);
  int* const to = static_cast<int*>(inout);
  for (long long at = 0; at < int_count; ++at) to[at] += from[at];
}

class AddInts {
 public:
  explicit AddInts(bool is_commutative) { MPI_Op_create(add_ints, is_commutative ? 1 : 0, &op_); }
  ~AddInts() { MPI_Op_free(&op_); }
  AddInts(const AddInts&) = delete;
  AddInts& operator=(const AddInts&) = delete;

  MPI_Op op() const { return op_; }

 private:
  MPI_Op op_ = MPI_OP_NULL;
};

}  // namespace detour::test
