// Whose data is in the last result, after calls that did not end well: all survivors have to say the same, whatever each of
// them has called before.
#include <detour/detour.h>

#include <array>

#include "checking_job.hpp"

namespace {

using namespace detour::kills;

constexpr int victim = 2;

int sum_up(int element_count) {
  const std::array<double, 4> ones{1, 1, 1, 1};
  std::array<double, 4> sums{};
  const int error = Detour_Allreduce(ones.data(), sums.data(), element_count, MPI_DOUBLE, MPI_SUM,
                                     MPI_COMM_WORLD);
  return error == MPI_SUCCESS ? static_cast<int>(sums[0]) : -1;
}

void expect_last(int contributor_count, std::uint64_t contributors, std::uint64_t epoch) {
  Detour_Result last{};
  expect(Detour_Last_result(MPI_COMM_WORLD, &last) == MPI_SUCCESS, "there is a last result");
  expect(last.contributor_count == contributor_count, "how many have contributed");
  expect(*last.contributors == contributors, "who has contributed");
  expect(last.epoch == epoch, "how often members were lost");
}

}  // namespace

int main(int argc, char** argv) {
  const CheckingJob job(argc, argv, 3);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int call = 0; call < 3; ++call) expect(sum_up(1) == 3, "a sum of three");
  expect_last(3, 0b111, 0);
  if (job.rank() == victim) die();
  // In the first of them it turns out that somebody is missing, and none of them has a result.
  for (int call = 0; call < 2; ++call) expect(sum_up(1 + job.rank()) == -1, "sizes differ");
  for (int call = 0; call < 3; ++call) {
    expect(sum_up(1) == 2, "a sum of two");
    expect_last(2, 0b011, 1);
  }
  return 0;
}
