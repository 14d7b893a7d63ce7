// One rank fails to allocate something in the middle of a call, whatever it is: the others go on without it.
#include <algorithm>
#include <climits>
#include <vector>

#include "detour/detour.h"
#include "failing_new.hpp"
#include "mpi_program.hpp"

namespace {

using namespace detour::test;

constexpr int number_count = 200'000;  // several pieces and chunks
constexpr int victim = 1;

using Sum = int (*)(std::vector<int>& numbers, MPI_Comm comm);

int sum_up(std::vector<int>& numbers, MPI_Comm comm) {
  return Detour_Allreduce(MPI_IN_PLACE, numbers.data(), number_count, MPI_INT, MPI_SUM, comm);
}

int begin_and_wait(std::vector<int>& numbers, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int error = Detour_Iallreduce(MPI_IN_PLACE, numbers.data(), number_count, MPI_INT, MPI_SUM,
                                      comm, &request);
  if (allocation_limits().count_left >= 0) allocation_limits().count_left = LONG_MAX;
  return error == MPI_SUCCESS ? Detour_Wait(&request, MPI_STATUS_IGNORE) : error;
}

bool all_are(const std::vector<int>& numbers, int value) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [value](int number) { return number == value; });
}

// The allocation number `nth` of the victim fails. False if there are not so many.
bool fail_in(Sum sum, const char* policy, long nth, const MpiProgram& program) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  CHECK_THAT_HOLDS(Detour_Set(comm, "policy", policy) == MPI_SUCCESS);
  std::vector<int> numbers(number_count, 1 << program.rank());
  const int everybody = (1 << program.size()) - 1;

  if (program.rank() == victim) allocation_limits().count_left = nth;
  const int error = sum(numbers, comm);
  int fates[] = {allocation_limits().count_left < 0 ? 1 : 0, error != MPI_SUCCESS ? 1 : 0};
  allocation_limits() = {};
  MPI_Bcast(fates, 2, MPI_INT, victim, MPI_COMM_WORLD);
  const auto [was_tried, has_failed] = fates;
  CHECK_THAT_HOLDS(was_tried != 0 || error == MPI_SUCCESS);
  if (program.rank() == victim) {
    CHECK_THAT_HOLDS(error == MPI_SUCCESS ? all_are(numbers, everybody) : error == MPI_ERR_NO_MEM);
  } else {
    // Who fails before anything has begun tells so, and all have the error; who fails after its part was done is in the
    // result all the same.
    const int without = everybody - (1 << victim);
    const bool may_miss = has_failed != 0;
    CHECK_THAT_HOLDS((may_miss && error == MPI_ERR_NO_MEM) ||
                     (error == MPI_SUCCESS &&
                      (all_are(numbers, everybody) || (may_miss && all_are(numbers, without)))));
  }
  MPI_Comm_free(&comm);
  return was_tried != 0;
}

}  // namespace

int main() {
  const MpiProgram program;
  for (const char* policy : {"direct", "tree"}) {
    for (const Sum sum : {sum_up, begin_and_wait}) {
      long nth = 0;
      while (fail_in(sum, policy, nth, program)) ++nth;
      CHECK_THAT_HOLDS(nth > 0);
    }
  }
  return program.finish();
}
