// Whose data is in the results of nonblocking operations: one that all take part in, and one that a rank dies before. And who
// hears of the error of one whose communicator is gone.
#include <detour/detour.h>

#include <array>

#include "checking_job.hpp"

namespace {

using namespace detour::kills;

constexpr int victim = 1;

MPI_Request begin_sum(const int& own, int& sum) {
  MPI_Request request = MPI_REQUEST_NULL;
  Detour_Iallreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  return request;
}

Detour_Result result_of(MPI_Request request) {
  Detour_Result result{};
  expect(Detour_Request_result(request, &result) == MPI_SUCCESS, "a result can be asked for");
  expect(result.word_count == 1, "one word has room for all ranks");
  return result;
}

void check_other_requests() {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  Detour_Result result{};
  expect(Detour_Request_result(MPI_REQUEST_NULL, &result) == MPI_ERR_REQUEST, "no request");
  int nothing = 0;
  MPI_Request receive = MPI_REQUEST_NULL;
  MPI_Irecv(&nothing, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &receive);
  expect(Detour_Request_result(receive, &result) == MPI_ERR_REQUEST, "a request of MPI's");
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
}

int told_count = 0;

void count_errors(MPI_Comm* comm, int*, ...) {
  expect(*comm == MPI_COMM_WORLD, "the world's error handler is told for the world");
  ++told_count;
}

// The sizes differ, so the sum fails. Its communicator is freed meanwhile, and the next one may have its handle.
void check_error_after_free(int rank) {
  MPI_Errhandler counting = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(count_errors, &counting);
  MPI_Comm comm = MPI_COMM_NULL;
  Detour_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, counting);
  const std::array<int, 2> own{};
  std::array<int, 2> sums{};
  MPI_Request request = MPI_REQUEST_NULL;
  Detour_Iallreduce(own.data(), sums.data(), rank == 0 ? 2 : 1, MPI_INT, MPI_SUM, comm, &request);
  MPI_Comm_free(&comm);
  Detour_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  expect(Detour_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS, "sizes that differ are an error");
  expect(told_count == 1, "the world hears of an error without a communicator");
  MPI_Comm_free(&comm);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&counting);
}

}  // namespace

int main(int argc, char** argv) {
  const CheckingJob job(argc, argv, 4);
  const int rank = job.rank();
  Detour_Prepare(MPI_COMM_WORLD);
  check_error_after_free(rank);

  const int own = 1 << rank;
  std::array<int, 2> sums{};
  std::array<MPI_Request, 2> requests{begin_sum(own, sums[0]), MPI_REQUEST_NULL};
  if (rank == victim) {
    result_of(requests[0]);
    die();
  }
  requests[1] = begin_sum(own, sums[1]);

  const Detour_Result second = result_of(requests[1]);
  expect(second.contributor_count == 3 && *second.contributors == 0b1101, "without the victim");
  expect(second.epoch == 1, "one change");
  const Detour_Result first = result_of(requests[0]);
  expect(first.contributor_count == 4 && *first.contributors == 0b1111, "with the victim");
  expect(first.epoch == 0, "no change before it");
  Detour_Result last{};
  expect(Detour_Last_result(MPI_COMM_WORLD, &last) == MPI_SUCCESS, "the last one");
  expect(*last.contributors == 0b1101, "the last one is without the victim");
  Detour_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  expect(sums[0] == 0b1111 && sums[1] == 0b1101, "the sums say the same");
  check_other_requests();
  return 0;
}
