// Shared memory is short, and one rank is slow: it still reads what the others have for it in one communicator when they
// call the next operation, in another one. That is no lack of memory: they wait until it has read, or is dead.
//
// The slow one gets its results into memory that it may not write to. So it is stopped, or killed, the moment it begins to
// read them, when nobody waits for it any more.
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <thread>
#include <vector>

#include "detour/detour.h"
#include "mpi_program.hpp"

namespace {

using namespace detour::test;

constexpr int slow_rank = 1;
// One piece, and too small to be written past the caches: then a rank's own part of it would be written as it is formed.
constexpr int number_count = 11 * 1024;
constexpr std::size_t output_bytes = number_count * sizeof(int);

enum class Fate { goes_on, dies, stays };

void* trap = nullptr;
int trap_signal = SIGSTOP;

// The signal takes effect before this goes on.
void spring(int) {
  kill(getpid(), trap_signal);
  mprotect(trap, output_bytes, PROT_READ | PROT_WRITE);
}

// Where results go: on the slow rank it is sprung by the first byte.
int* make_output(const MpiProgram& program, Fate fate) {
  void* const memory =
      mmap(nullptr, output_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (program.rank() == slow_rank) {
    trap = memory;
    trap_signal = fate == Fate::dies ? SIGKILL : SIGSTOP;
    struct sigaction action {};
    action.sa_handler = spring;
    sigaction(SIGSEGV, &action, nullptr);
    mprotect(memory, output_bytes, PROT_NONE);
  }
  return static_cast<int*>(memory);
}

// Later, so that the others have come to want memory.
class Continuer {
 public:
  Continuer(const MpiProgram& program, Fate fate) {
    int pid = getpid();
    MPI_Bcast(&pid, 1, MPI_INT, slow_rank, MPI_COMM_WORLD);
    if (program.rank() != 0 || fate != Fate::goes_on) return;
    thread_ = std::thread([pid] {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      kill(pid, SIGCONT);
    });
  }
  ~Continuer() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
};

int sum(const int* input, int* output, MPI_Comm comm) {
  return Detour_Allreduce(input, output, number_count, MPI_INT, MPI_SUM, comm);
}

int begin_and_wait(const int* input, int* output, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int error =
      Detour_Iallreduce(input, output, number_count, MPI_INT, MPI_SUM, comm, &request);
  return error == MPI_SUCCESS ? Detour_Wait(&request, MPI_STATUS_IGNORE) : error;
}

int sum_routed(const int* input, int* output, MPI_Comm comm) {
  Detour_Set(comm, "policy", "ring");
  return sum(input, output, comm);
}

using Sum = int (*)(const int* input, int* output, MPI_Comm comm);

// What the slow rank is slow in, and what the others do next.
struct Order {
  bool begins_with_broadcast = false;
  Sum next_sum = sum;
  bool goes_on_in_same_comm = false;
};

Order order_of(std::string_view name) {
  if (name == "after_broadcast") return {.begins_with_broadcast = true};
  if (name == "nonblocking") return {.next_sum = begin_and_wait};
  if (name == "routed") return {.next_sum = sum_routed};
  if (name == "routed_in_same") return {.next_sum = sum_routed, .goes_on_in_same_comm = true};
  return {};
}

Fate fate_of(std::string_view name) {
  if (name == "dies") return Fate::dies;
  return name == "stays" ? Fate::stays : Fate::goes_on;
}

// Without the slow one, if it stays where it is until it is found to hang.
MPI_Comm make_next_comm(const MpiProgram& program, Fate fate) {
  const int color = fate == Fate::stays && program.rank() == slow_rank ? 1 : 0;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, color, 0, &comm);
  return comm;
}

}  // namespace

// Arguments: what becomes of the slow rank, and the order of things.
int main(int argc, char** argv) {
  const MpiProgram program(MPI_THREAD_MULTIPLE);
  const Fate fate = fate_of(argc > 1 ? argv[1] : "");
  const Order order = order_of(argc > 2 ? argv[2] : "");
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Comm next_comm = order.goes_on_in_same_comm ? comm : make_next_comm(program, fate);
  for (const MPI_Comm each : {comm, next_comm}) {
    MPI_Comm_set_errhandler(each, MPI_ERRORS_RETURN);
    CHECK_THAT_HOLDS(Detour_Barrier(each) == MPI_SUCCESS);
  }
  const std::vector<int> input(number_count, 1 << program.rank());
  int* const output = make_output(program, fate);
  const auto all_are = [output](int value) {
    return std::all_of(output, output + number_count, [=](int got) { return got == value; });
  };
  const Continuer continuer(program, fate);

  const int everybody = (1 << program.size()) - 1;
  if (order.begins_with_broadcast) {
    if (program.rank() == 0) std::fill_n(output, number_count, everybody);
    CHECK_THAT_HOLDS(Detour_Bcast(output, number_count, MPI_INT, 0, comm) == MPI_SUCCESS);
  } else {
    CHECK_THAT_HOLDS(sum(input.data(), output, comm) == MPI_SUCCESS);
  }
  CHECK_THAT_HOLDS(all_are(everybody));
  CHECK_THAT_HOLDS(order.next_sum(input.data(), output, next_comm) == MPI_SUCCESS);
  CHECK_THAT_HOLDS(all_are(fate == Fate::goes_on ? everybody : everybody - (1 << slow_rank)));
  return program.finish();
}
