// Communicators of survivors in a program that links the library and preloads nothing.
#include <detour/detour.h>

#include "checking_job.hpp"

namespace {

using namespace detour::kills;

constexpr int victim = 1;

int sum_of_ones(MPI_Comm comm) {
  const int one = 1;
  int sum = 0;
  expect(Detour_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS, "a sum");
  return sum;
}

void check(MPI_Comm comm, int size, int rank) {
  int found_size = 0;
  int found_rank = 0;
  MPI_Comm_size(comm, &found_size);
  MPI_Comm_rank(comm, &found_rank);
  expect(found_size == size, "how many there are");
  expect(found_rank == rank, "in the order of the old ranks");
  expect(sum_of_ones(comm) == size, "all of them are in a sum");
  MPI_Comm_free(&comm);
}

}  // namespace

int main(int argc, char** argv) {
  const CheckingJob job(argc, argv, 5);
  const int rank = job.rank();
  const int size = job.size();

  MPI_Comm copy = MPI_COMM_NULL;  // before the library has heard of the world, with everybody
  expect(Detour_Comm_dup(MPI_COMM_WORLD, &copy) == MPI_SUCCESS, "a duplicate of all");
  check(copy, size, rank);
  if (rank == victim) die();

  const int new_rank = rank < victim ? rank : rank - 1;
  expect(Detour_Comm_dup(MPI_COMM_WORLD, &copy) == MPI_SUCCESS, "a duplicate of those who live");
  check(copy, size - 1, new_rank);
  MPI_Comm part = MPI_COMM_NULL;  // 0, 2 and 3 without 4
  const int color = rank == size - 1 ? MPI_UNDEFINED : 7;
  expect(Detour_Comm_split(MPI_COMM_WORLD, color, 0, &part) == MPI_SUCCESS, "a part");
  if (color == MPI_UNDEFINED) {
    expect(part == MPI_COMM_NULL, "who has no color gets nothing");
  } else {
    check(part, size - 2, new_rank);
  }
  return 0;
}
