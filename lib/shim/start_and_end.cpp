#include "shim/start_and_end.hpp"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/shared_malloc.hpp"
#include "core/survival.hpp"
#include "core/user_memory.hpp"
#include "environment.hpp"
#include "fault_points.hpp"
#include "guarded.hpp"
#include "launcher_channel.hpp"
#include "mpi/running.hpp"
#include "shim/below.hpp"
#include "shim/communicators.hpp"
#include "shim/export.hpp"
#include "shim/left_open.hpp"
#include "shim/p2p/buffered_sends.hpp"
#include "shut_down.hpp"

namespace detour::shim {
namespace {

constexpr int bad_setting_status = 2;

// The lowest rank that has one speaks; the others wait for the end that it brings about.
void end_on_bad_setting() {
  const auto problem = environment_problem();
  int rank = 0;
  int rank_count = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  const int complaint = problem ? rank : rank_count;
  int first_complaint = rank_count;
  PMPI_Allreduce(&complaint, &first_complaint, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first_complaint == rank_count) return;
  if (first_complaint == rank) {
    std::fprintf(stderr, "detour: %s\n", problem->c_str());
    PMPI_Abort(MPI_COMM_WORLD, bad_setting_status);
  }
  PMPI_Barrier(MPI_COMM_WORLD);
}

int started(int result) {
  if (result != MPI_SUCCESS) return result;
  end_on_bad_setting();
  const MPI_Comm world = MPI_COMM_WORLD;
  const int prepared = prepare(result, &world);
  begin_shared_malloc();
  DETOUR_FAULT_POINT("init-ended");
  return prepared;
}

// In the launcher's words. The library can't know yet who of them dies.
std::string ranks_of_job() {
  const char* const in_job = std::getenv("OMPI_COMM_WORLD_SIZE");
  return "0-" + std::to_string(in_job != nullptr ? std::atoi(in_job) - 1 : 0);
}

// What the program gets to see of a level that was raised for the library's helper thread: no more than it
// asked for. Threads of the program's must not rely on more than they would have without us.
std::atomic<int> asked_level = MPI_THREAD_MULTIPLE;

int init_raised(int* argc, char*** argv, int asked, int* provided) {
  const int result = below().init_thread(argc, argv, MPI_THREAD_MULTIPLE, provided);
  if (result != MPI_SUCCESS) return result;
  asked_level.store(asked);
  *provided = std::min(*provided, asked);
  return started(result);
}

// A step of the end. What can't be done, for lack of memory say, is no reason for MPI not to be told of the end.
void do_if_possible(const char* step, void (*body)()) {
  const int error = guarded([&] {
    body();
    return MPI_SUCCESS;
  });
  if (error == MPI_SUCCESS) return;
  const char* const why = error == MPI_ERR_NO_MEM ? "there is no memory" : "of an error";
  std::fprintf(stderr, "detour: %s in MPI_Finalize: not done, because %s\n", step, why);
}

// For MPI to refuse.
bool is_wrong(int level, const int* provided) {
  return level < MPI_THREAD_SINGLE || level > MPI_THREAD_MULTIPLE || provided == nullptr;
}

}  // namespace

int init(int* argc, char*** argv) {
  const AnnouncedWait wait(ranks_of_job(), "MPI_Init");
  if (!job_spans_nodes()) return started(below().init(argc, argv));
  int provided = MPI_THREAD_SINGLE;
  return init_raised(argc, argv, MPI_THREAD_SINGLE, &provided);
}

int init_thread(int* argc, char*** argv, int required, int* provided) {
  const AnnouncedWait wait(ranks_of_job(), "MPI_Init_thread");
  if (!job_spans_nodes() || is_wrong(required, provided)) {
    return started(below().init_thread(argc, argv, required, provided));
  }
  return init_raised(argc, argv, required, provided);
}

int query_thread(int* provided) {
  const int result = below().query_thread(provided);
  if (result == MPI_SUCCESS) *provided = std::min(*provided, asked_level.load());
  return result;
}

int finalize() {
  DETOUR_FAULT_POINT("finalize-began");
  if (mpi_is_running()) {
    do_if_possible("the last buffered sends", finish_buffered_sends);
    do_if_possible("giving up what the dead share", abandon_what_the_dead_share);
    do_if_possible("the end of the library", shut_down);
  }
  stop_lending_user_memory();
  DETOUR_FAULT_POINT("leaving-mpi");
  return below().finalize();
}

}  // namespace detour::shim

namespace shim = detour::shim;

DETOUR_REPLACES_MPI int MPI_Init(int* argc, char*** argv) {
  return shim::init(argc, argv);
}

DETOUR_REPLACES_MPI int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return shim::init_thread(argc, argv, required, provided);
}

DETOUR_REPLACES_MPI int MPI_Query_thread(int* provided) {
  return shim::query_thread(provided);
}

DETOUR_REPLACES_MPI int MPI_Finalize() {
  return shim::finalize();
}
