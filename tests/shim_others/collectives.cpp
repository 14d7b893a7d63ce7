// Collective operations that are left to MPI, in a job whose ranks die in them: nobody waits for the dead, errors
// say who it was, and what is libdetour's goes on.
//
//   collectives blocking|nonblocking absent|inside
//
// Two ranks live on. Each of the others is for one of the calls, on a communicator of these three: it dies in
// their midst, without ever having made the call, or while it makes it.
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "calls.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using others::Data;
using others::OtherCall;

constexpr int survivor_count = 2;
constexpr int member_count = 3;
constexpr int victim_in_team = 2;
constexpr std::chrono::seconds patience{3};

int world_rank = 0;

[[noreturn]] void fail(const std::string& call, const std::string& what) {
  std::fprintf(stderr, "rank %d, %s: %s\n", world_rank, call.c_str(), what.c_str());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

std::string text_of(int error) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(error, text, &length);
  return text;
}

// The survivors, and the victim of call number `call`.
MPI_Comm make_team(int call, bool with_neighbours) {
  const bool is_in = world_rank < survivor_count || world_rank == survivor_count + call;
  MPI_Comm team = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, is_in ? 0 : MPI_UNDEFINED, world_rank, &team);
  if (!is_in || !with_neighbours) return team;
  const int extent = member_count;
  const int is_periodic = 1;
  MPI_Comm ring = MPI_COMM_NULL;
  MPI_Cart_create(team, 1, &extent, &is_periodic, 0, &ring);
  MPI_Barrier(ring);
  return ring;
}

// However a program waits.
int complete(const OtherCall& call, int way, MPI_Request* request) {
  MPI_Status status;
  int flag = 0;
  int index = 0;
  int error = MPI_SUCCESS;
  switch (way % 4) {
    case 0:
      return MPI_Wait(request, MPI_STATUS_IGNORE);
    case 1:
      while (error == MPI_SUCCESS && flag == 0) error = MPI_Test(request, &flag, MPI_STATUS_IGNORE);
      return error;
    case 2:
      return MPI_Waitany(1, request, &index, MPI_STATUS_IGNORE);
    default:
      if (MPI_Waitall(1, request, &status) == MPI_SUCCESS) return MPI_SUCCESS;
      if (status.MPI_ERROR == MPI_SUCCESS) fail(call.name, "no error in the status");
      return status.MPI_ERROR;
  }
}

int make(const OtherCall& call, int way, Data& data) {
  MPI_Request request = MPI_REQUEST_NULL;
  int error = call.make(data, &request);
  if (error == MPI_SUCCESS && call.is_nonblocking) error = complete(call, way, &request);
  if (request != MPI_REQUEST_NULL) fail(call.name, "a request is left");
  return error;
}

void expect_failure(const OtherCall& call, int error) {
  if (error == MPI_SUCCESS) fail(call.name, "no error");
  int error_class = 0;
  MPI_Error_class(error, &error_class);
  static const int first_class = error_class;
  if (error_class != first_class || error_class == MPI_ERR_OTHER) fail(call.name, "another class");
  if (text_of(error) != "rank 2 of the communicator has died") fail(call.name, text_of(error));
}

// What is libdetour's goes on.
void expect_sum(const std::string& call, MPI_Comm comm) {
  const int one = 1;
  int sum = 0;
  const int error = MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  if (error != MPI_SUCCESS) fail(call, "no sums any more: " + text_of(error));
  if (sum != survivor_count) fail(call, "not all survivors are in the sum");
}

void survive(const OtherCall& call, int number, MPI_Comm team, bool dies_inside) {
  Data data(team, member_count, dies_inside ? 30'000 : 1'000);
  if (world_rank == 0) MPI_Send(nullptr, 0, MPI_INT, victim_in_team, 0, team);
  const auto begin = Clock::now();
  int error = make(call, number, data);
  // Whoever dies may have done its part, or have none that others need.
  while (error == MPI_SUCCESS && Clock::now() - begin < patience) {
    error = make(call, number, data);
  }
  expect_failure(call, error);
  if (Clock::now() - begin > patience) fail(call.name, "it took too long");
  expect_failure(call, make(call, number, data));
  expect_sum(call.name, team);
}

[[noreturn]] void die(const OtherCall& call, int number, MPI_Comm team, bool dies_inside) {
  int is_told = 0;
  while (is_told == 0) {
    MPI_Iprobe(0, 0, team, &is_told, MPI_STATUS_IGNORE);
    usleep(2'000);
  }
  // The others are in the call by then, or will be.
  std::thread([number] {
    usleep(static_cast<useconds_t>(5'000 + 977 * number % 4'000));
    kill(getpid(), SIGKILL);
  }).detach();
  Data data(team, member_count, 30'000);
  while (dies_inside) make(call, number, data);
  for (;;) pause();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto& calls =
      std::string(argv[1]) == "blocking" ? others::blocking_calls() : others::nonblocking_calls();
  const bool dies_inside = std::string(argv[2]) == "inside";
  MPI_Init(&argc, &argv);
  int world_size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (world_size != survivor_count + static_cast<int>(calls.size())) fail("", "not so many ranks");

  std::vector<MPI_Comm> teams;
  for (int call = 0; call < static_cast<int>(calls.size()); ++call) {
    teams.push_back(make_team(call, calls[static_cast<std::size_t>(call)].needs_neighbours));
  }
  for (std::size_t at = 0; at < calls.size(); ++at) {
    const int number = static_cast<int>(at);
    if (world_rank < survivor_count) survive(calls[at], number, teams[at], dies_inside);
    if (world_rank == survivor_count + number) die(calls[at], number, teams[at], dies_inside);
  }
  expect_sum("at the end", MPI_COMM_WORLD);
  if (world_rank == 0) std::printf("%zu calls\n", calls.size());
  for (MPI_Comm& team : teams) MPI_Comm_free(&team);
  MPI_Finalize();
  return 0;
}
