// A thread that waits for requests of two communicators: the operations behind one that has ended go on, too, though nobody
// waits for them. The other rank needs them before it comes to what is waited for.
#include <vector>

#include "detour/detour.h"
#include "mpi_program.hpp"

namespace {

using namespace detour::test;

// In some pieces, so that all ranks have to do something several times.
constexpr int number_count = 1 << 18;

class Sum {
 public:
  Sum(int rank, MPI_Comm comm) : input_(number_count, rank + 1), output_(number_count) {
    Detour_Iallreduce(input_.data(), output_.data(), number_count, MPI_INT, MPI_SUM, comm,
                      &request_);
  }
  MPI_Request& request() { return request_; }
  void wait() { Detour_Wait(&request_, MPI_STATUS_IGNORE); }
  bool is_right() const { return output_.front() == 3 && output_.back() == 3; }

 private:
  std::vector<int> input_;
  std::vector<int> output_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

bool wait_for_two(int rank, MPI_Comm first_comm, MPI_Comm second_comm) {
  Sum first(rank, first_comm);
  Sum behind(rank, first_comm);
  Sum last(rank, second_comm);
  MPI_Request both[] = {first.request(), last.request()};
  Detour_Waitall(2, both, MPI_STATUSES_IGNORE);
  behind.wait();
  return first.is_right() && behind.is_right() && last.is_right();
}

bool wait_in_order(int rank, MPI_Comm first_comm, MPI_Comm second_comm) {
  Sum first(rank, first_comm);
  Sum behind(rank, first_comm);
  first.wait();
  behind.wait();
  Sum last(rank, second_comm);
  last.wait();
  return first.is_right() && behind.is_right() && last.is_right();
}

}  // namespace

int main() {
  const MpiProgram program(MPI_THREAD_MULTIPLE);
  MPI_Comm twin = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  for (const MPI_Comm comm : {MPI_COMM_WORLD, twin}) Detour_Barrier(comm);
  for (int round = 0; round < 50; ++round) {
    const bool waits_for_two = (program.rank() + round) % 2 == 0;
    CHECK_THAT_HOLDS(waits_for_two ? wait_for_two(program.rank(), MPI_COMM_WORLD, twin)
                                   : wait_in_order(program.rank(), MPI_COMM_WORLD, twin));
  }
  MPI_Comm_free(&twin);
  return program.finish();
}
