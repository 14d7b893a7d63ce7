// How programs recognise the error that a rank's death is to blame for, in C and in C++.
#include <detour/detour.hpp>

#include <string>
#include <vector>

#include "checking_job.hpp"

namespace {

using namespace detour::kills;

constexpr int victim = 1;

void check_other_errors(detour::Communicator& comm) {
  std::vector<float> values(3);
  const std::error_code code = comm.try_allreduce(values, detour::Op::band);
  expect(detour::error_class(code.value()) == MPI_ERR_OP, "bits of numbers are an error");
  expect(!detour::is_process_failure(code), "which nobody's death is to blame for");
  expect(!detour::is_process_failure({}), "no error is no death");
  const std::error_code foreign(Detour_Process_failed_class(), std::generic_category());
  expect(!detour::is_process_failure(foreign), "other libraries have other numbers");
}

void check_dead_root(detour::Communicator& comm) {
  std::vector<int> values(3, 1);
  const std::error_code code = comm.try_broadcast(values, victim);
  expect(detour::error_class(code.value()) == Detour_Process_failed_class(), "the error's class");
  expect(detour::is_process_failure(code), "the code says that a rank has died");
  try {
    comm.reduce(values, victim);
    expect(false, "a dead root is an error");
  } catch (const detour::Error& error) {
    expect(error.is_process_failure(), "the exception says that a rank has died");
    expect(std::string(error.what()).find("rank 1 of") != std::string::npos, "and which");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const CheckingJob job(argc, argv, 3);
  expect(Detour_Process_failed_class() != MPI_SUCCESS, "the class is there from the start");
  {
    auto world = detour::Communicator::world();
    check_other_errors(world);
    if (world.rank() == victim) die();
    world.barrier();
    check_dead_root(world);
  }
  return 0;
}
