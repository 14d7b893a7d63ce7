// One rank fails to allocate something in the middle of a call, whatever it is: the others go on without it.
#include <algorithm>
#include <vector>

#include "detour/detour.h"
#include "failing_new.hpp"
#include "mpi_program.hpp"

namespace {

using namespace detour::test;

constexpr int number_count = 200'000;  // several pieces and chunks
constexpr int victim = 1;
constexpr long allocation_count_max = 500;

using Sum = int (*)(std::vector<int>& numbers, MPI_Comm comm);

int sum_up(std::vector<int>& numbers, MPI_Comm comm) {
  return Detour_Allreduce(MPI_IN_PLACE, numbers.data(), number_count, MPI_INT, MPI_SUM, comm);
}

int begin_and_wait(std::vector<int>& numbers, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int error = Detour_Iallreduce(MPI_IN_PLACE, numbers.data(), number_count, MPI_INT, MPI_SUM,
                                      comm, &request);
  return error == MPI_SUCCESS ? Detour_Wait(&request, MPI_STATUS_IGNORE) : error;
}

bool all_are(const std::vector<int>& numbers, int value) {
  return std::all_of(numbers.begin(), numbers.end(), [value](int number) { return number == value; });
}

// The allocation number `nth` of the victim fails, if there are so many. True if it did, and was not made up for.
bool fail_in(Sum sum, const char* policy, long nth, const MpiProgram& program) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  CHECK_THAT_HOLDS(Detour_Set(comm, "policy", policy) == MPI_SUCCESS);
  std::vector<int> numbers(number_count, 1 << program.rank());
  const int everybody = (1 << program.size()) - 1;

  if (program.rank() == victim) allocation_limits().count_left = nth;
  const int error = sum(numbers, comm);
  const bool was_tried = program.rank() != victim || allocation_limits().count_left < 0;
  allocation_limits() = {};
  int has_failed = error != MPI_SUCCESS ? 1 : 0;
  MPI_Bcast(&has_failed, 1, MPI_INT, victim, MPI_COMM_WORLD);
  CHECK_THAT_HOLDS(was_tried || error == MPI_SUCCESS);
  if (program.rank() == victim) {
    CHECK_THAT_HOLDS(error == MPI_SUCCESS ? all_are(numbers, everybody) : error == MPI_ERR_NO_MEM);
  } else {
    // Who fails after its part was done is in the result all the same.
    const bool is_without = has_failed != 0 && all_are(numbers, everybody - (1 << victim));
    CHECK_THAT_HOLDS(error == MPI_SUCCESS && (is_without || all_are(numbers, everybody)));
  }
  MPI_Comm_free(&comm);
  return has_failed != 0;
}

}  // namespace

int main() {
  const MpiProgram program;
  for (const char* policy : {"direct", "ring"}) {
    for (const Sum sum : {sum_up, begin_and_wait}) {
      // Some failures are made up for: there were so many allocations once several in a row do no harm.
      constexpr int harmless_count_max = 5;
      int failed_count = 0;
      int harmless_count = 0;
      for (long nth = 0; nth < allocation_count_max && harmless_count < harmless_count_max; ++nth) {
        const bool has_failed = fail_in(sum, policy, nth, program);
        failed_count += has_failed ? 1 : 0;
        harmless_count = has_failed ? 0 : harmless_count + 1;
      }
      CHECK_THAT_HOLDS(failed_count > 0 && harmless_count == harmless_count_max);
    }
  }
  return program.finish();
}
