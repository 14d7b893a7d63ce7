// An MPI program in which rank 1 does what the first argument says and the others go on without it.
//
//   subject fine|early|exit|kill|fatal|needed|abort|wait [FOLDER]
#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "launcher_channel.hpp"

namespace {

constexpr int victim = 1;

void end_as_told(const std::string& what) {
  if (what == "exit") ::_exit(5);
  if (what == "kill" || what == "needed" || what == "fatal") ::raise(SIGKILL);
  if (what == "abort") {
    if (!detour::announce_abort(7, "MPI_Abort with status 7")) ::_exit(9);
    ::_exit(0);  // what it does then does not matter
  }
}

// The sum of what went round, over the ranks that are left.
int ring_sum(int rank, int size, bool victim_is_gone) {
  const auto step = [&](int from, int by) {
    const int next = (from + by + size) % size;
    return victim_is_gone && next == victim ? (next + by + size) % size : next;
  };
  const int round_count = victim_is_gone ? size - 1 : size;
  int sum = 0;
  int value = rank;
  for (int round = 0; round < round_count; ++round) {
    sum += value;
    int received = 0;
    MPI_Sendrecv(&value, 1, MPI_INT, step(rank, 1), 0, &received, 1, MPI_INT, step(rank, -1), 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    value = received;
  }
  return sum;
}

// MPI_Finalize waits for the dead unless it is told not to.
void finalize(bool victim_is_gone) {
  auto* const skip_the_wait = static_cast<bool*>(::dlsym(RTLD_DEFAULT, "ompi_async_mpi_finalize"));
  if (victim_is_gone && skip_the_wait == nullptr) ::_exit(0);
  if (victim_is_gone) *skip_the_wait = true;
  MPI_Finalize();
}

void tell_that_rank_is_there(const std::string& folder, int rank) {
  std::FILE* const file = std::fopen((folder + "/" + std::to_string(rank)).c_str(), "w");
  if (file != nullptr) std::fclose(file);
}

bool is_victim_before_init() {
  const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
  return rank != nullptr && std::atoi(rank) == victim;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const std::string what = arguments[1];
  if (what == "early" && is_victim_before_init()) ::raise(SIGSEGV);
  MPI_Init(&argument_count, &arguments);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Barrier(MPI_COMM_WORLD);
  const bool victim_is_gone = what == "exit" || what == "kill";
  if (what == "needed" && !detour::announce_dependence("they need each other")) ::_exit(9);
  if (rank == victim) end_as_told(what);
  if (what == "wait") tell_that_rank_is_there(arguments[2], rank);
  // Never returns from a signal that ends it, nor from one that it ignores.
  while (what == "wait" || what == "abort" || what == "needed") ::pause();
  if (what == "fatal") MPI_Recv(&size, 1, MPI_INT, victim, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const int sum = ring_sum(rank, size, victim_is_gone);
  std::printf("rank %d sum %d\n", rank, sum);
  finalize(victim_is_gone);
  return 0;
}
