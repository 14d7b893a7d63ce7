// Sums in a job in which something is wrong with a rank; what it is says the first argument.
//
//   subject stopped          rank 1 stops itself, and nobody lets it go on
//   subject pending          the same, while operations of the others are pending
//   subject continued        rank 1 is stopped for a while, and goes on
//   subject computing        rank 1 takes its time before a sum
//   subject slow_operation   an operation of the program's takes its time on rank 1
//   subject stuck            rank 1 never comes out of a call of MPI that the library makes while it waits
//   subject killed           rank 1 is killed; the program is told
//   subject rescaled         the same, and sums are rescaled
//   subject fine             nothing
//
// Prints a line for each rank that gets to the end: "rank 0 ends with 3 contributors".
#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>
#include <detour/detour.hpp>

#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int victim = 1;

int own_rank = 0;
int size = 0;
// Some times as long as a rank may be silent: the test sets it.
std::chrono::milliseconds long_time{3000};
std::atomic<bool> gets_stuck{false};

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "rank %d: %s\n", own_rank, what.c_str());
  std::fflush(stderr);
  PMPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

void expect(bool holds, const std::string& what) {
  if (!holds) fail(what);
}

int contributor_count() {
  Detour_Result result;
  Detour_Last_result(MPI_COMM_WORLD, &result);
  return result.contributor_count;
}

// With the number of contributors that the sum proves.
int sum_up(MPI_Op op = MPI_SUM) {
  const double mine = own_rank == victim ? 100 : 1;
  double sum = 0;
  const int error = Detour_Allreduce(&mine, &sum, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
  expect(error == MPI_SUCCESS, "a sum fails");
  const bool has_victim = sum >= 100;
  const int count = static_cast<int>(sum) - (has_victim ? 99 : 0);
  expect(count == contributor_count(), "the contributors are wrong");
  return count;
}

int sum_up_often() {
  int count = 0;
  for (int call = 0; call < 100; ++call) count = sum_up();
  return count;
}

// All begin before the victim stops, so that nobody but its helper thread could carry its part on.
int sum_up_pending() {
  double mine = 1;
  double sum = 0;
  for (int call = 0; call < 3; ++call) {
    MPI_Request request = MPI_REQUEST_NULL;
    Detour_Iallreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    if (own_rank == victim && call == 1) ::raise(SIGSTOP);
    expect(Detour_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS, "a pending sum fails");
  }
  expect(static_cast<int>(sum) == contributor_count(), "the contributors are wrong");
  return contributor_count();
}

// The first rank stops the victim and lets it go on, while both are in the middle of sums.
int go_through_a_pause() {
  int pid = ::getpid();
  MPI_Bcast(&pid, 1, MPI_INT, victim, MPI_COMM_WORLD);
  if (own_rank == 0) {
    std::thread([pid] {
      ::kill(pid, SIGSTOP);
      std::this_thread::sleep_for(long_time / 6);
      ::kill(pid, SIGCONT);
    }).detach();
  }
  const auto end = std::chrono::steady_clock::now() + long_time;
  int count = 0;
  for (int is_over = 0; is_over == 0;) {
    count = sum_up();
    is_over = std::chrono::steady_clock::now() >= end ? 1 : 0;
    Detour_Bcast(&is_over, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  return count;
}

void add_slowly(void* input, void* inout, int* count, MPI_Datatype*) {
  static bool has_been_slow = false;
  if (own_rank == victim && !has_been_slow) std::this_thread::sleep_for(long_time);
  has_been_slow = true;
  for (int at = 0; at < *count; ++at) {
    static_cast<double*>(inout)[at] += static_cast<double*>(input)[at];
  }
}

// The others have the first result while the victim still adds, and wait for it in the next call.
int sum_up_slowly() {
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(add_slowly, 1, &op);
  sum_up(op);
  MPI_Op_free(&op);
  return sum_up();
}

// The others come late, so that the victim has to wait for them, and asks MPI in the meantime.
int get_stuck() {
  sum_up();
  if (own_rank == victim) {
    gets_stuck = true;
  } else {
    std::this_thread::sleep_for(long_time / 6);
  }
  return sum_up_often();
}

int get_killed() {
  std::atomic<int> told_rank{-1};
  std::string told_host;
  detour::on_death([&](const detour::Death& death) {
    told_host = death.host;
    told_rank = death.rank;
  });
  sum_up();
  if (own_rank == victim) ::raise(SIGKILL);
  const int count = sum_up_often();
  while (told_rank < 0) std::this_thread::yield();
  expect(told_rank == victim, "another rank is said to have died");
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  expect(told_host == host, "it died on another host");
  // Past deaths are told at once.
  int later_rank = -1;
  detour::on_death([&](const detour::Death& death) { later_rank = death.rank; });
  expect(later_rank == victim, "a past death is not told of");
  detour::on_death({});
  return count;
}

void expect_mean(double sum, double mean, const char* what) {
  expect(std::abs(sum / size - mean) < 1e-3 * std::abs(mean), what);
}

// Sums that not all ranks get all of, or not at once.
void rescale_parts(double mean) {
  const double mine = own_rank + 1;
  double sum = 0;
  Detour_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (own_rank == 0) expect_mean(sum, mean, "a reduction");
  std::vector<double> blocks(static_cast<std::size_t>(2 * size), mine);
  std::vector<double> block(2);
  Detour_Reduce_scatter_block(blocks.data(), block.data(), 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  expect_mean(block.back(), mean, "a block of a reduction");
  MPI_Request request = MPI_REQUEST_NULL;
  Detour_Iallreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
  Detour_Wait(&request, MPI_STATUS_IGNORE);
  expect_mean(sum, mean, "a pending sum");
}

// Each rank gives its number plus one: the mean over the contributors is known.
int rescale() {
  if (own_rank == victim) ::raise(SIGKILL);
  double total = 0;
  for (int rank = 0; rank < size; ++rank) total += rank == victim ? 0 : rank + 1;
  const double mean = total / (size - 1);
  const float mine = static_cast<float>(own_rank + 1);
  float sum = 0;
  Detour_Allreduce(&mine, &sum, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  expect_mean(static_cast<double>(sum), mean, "a sum of floats");
  std::vector<std::complex<double>> sums(200'000, {static_cast<double>(own_rank + 1), -1});
  Detour_Allreduce(MPI_IN_PLACE, sums.data(), 200'000, MPI_C_DOUBLE_COMPLEX, MPI_SUM,
                   MPI_COMM_WORLD);
  expect_mean(sums.back().real(), mean, "a sum of complex numbers");
  expect_mean(sums.front().imag(), -1, "the other half of a sum");
  rescale_parts(mean);
  int whole = own_rank + 1;
  Detour_Allreduce(MPI_IN_PLACE, &whole, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect(whole == static_cast<int>(total), "a sum of integers stays as it is");
  double largest = 1;
  Detour_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  expect(largest == 1, "a maximum stays as it is");
  Detour_Set(MPI_COMM_WORLD, "rescale", "none");
  double plain = own_rank + 1;
  Detour_Allreduce(MPI_IN_PLACE, &plain, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  expect(plain == total, "a sum on a communicator that wants it plain");
  return contributor_count();
}

int carry_out(const std::string& what) {
  if (what == "stopped") {
    sum_up();
    if (own_rank == victim) ::raise(SIGSTOP);
    return sum_up_often();
  }
  if (what == "computing") {
    sum_up();
    if (own_rank == victim) std::this_thread::sleep_for(long_time);
    return sum_up_often();
  }
  if (what == "pending") return sum_up_pending();
  if (what == "continued") return go_through_a_pause();
  if (what == "slow_operation") return sum_up_slowly();
  if (what == "stuck") return get_stuck();
  if (what == "killed") return get_killed();
  if (what == "rescaled") return rescale();
  return sum_up_often();
}

}  // namespace

// Comes before MPI's own, also for the library.
extern "C" __attribute__((visibility("default"))) int PMPI_Iprobe(int source, int tag,
                                                                  MPI_Comm comm, int* flag,
                                                                  MPI_Status* status) {
  while (gets_stuck) ::pause();
  using Function = int (*)(int, int, MPI_Comm, int*, MPI_Status*);
  static const auto mpis = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "PMPI_Iprobe"));
  return mpis(source, tag, comm, flag, status);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 2) long_time = std::chrono::milliseconds(std::atoi(argv[2]));
  expect(Detour_Prepare(MPI_COMM_WORLD) == MPI_SUCCESS, "the library can't begin");
  const int count = carry_out(argv[1]);
  std::printf("rank %d ends with %d contributors\n", own_rank, count);
  std::fflush(stdout);
  MPI_Finalize();
  return 0;
}
