// Sums over memory from Detour_Alloc, which the other ranks read where it is: in place and not, of some ranks only, by MPI's
// operation and by one of the program's.
#include <algorithm>
#include <vector>

#include "detour/detour.h"
#include "mpi_program.hpp"

namespace {

using namespace detour::test;

constexpr int number_count_max = 300'000;

void add(void* from, void* to, int* count, MPI_Datatype*) {
  const int* const more = static_cast<int*>(from);
  int* const sums = static_cast<int*>(to);
  std::transform(more, more + *count, sums, sums, [](int a, int b) { return a + b; });
}

struct Buffers {
  int* input;
  int* output;
};

int value(int rank, int at) {
  return (rank + 1) * 1000 + at % 100;
}

int sum(int rank_count, int at) {
  int total = 0;
  for (int rank = 0; rank < rank_count; ++rank) total += value(rank, at);
  return total;
}

bool is_right(const MpiProgram& program, const Buffers& buffers, int count, MPI_Op operation) {
  const bool in_place = buffers.input == buffers.output;
  for (int at = 0; at < count; ++at) buffers.input[at] = value(program.rank(), at);
  const void* const from = in_place ? MPI_IN_PLACE : buffers.input;
  if (Detour_Allreduce(from, buffers.output, count, MPI_INT, operation, MPI_COMM_WORLD) !=
      MPI_SUCCESS) {
    return false;
  }
  for (int at = 0; at < count; ++at) {
    if (buffers.output[at] != sum(program.size(), at)) return false;
  }
  // Whoever still reads any of it reads something else now.
  std::fill_n(buffers.input, count, -1);
  std::fill_n(buffers.output, count, -1);
  return true;
}

}  // namespace

int main() {
  const MpiProgram program;
  int* shared = nullptr;
  Detour_Alloc(2 * number_count_max * static_cast<MPI_Aint>(sizeof(int)), MPI_INFO_NULL, &shared);
  CHECK_THAT_HOLDS(shared != nullptr);
  std::vector<int> own(2 * number_count_max);
  MPI_Op operation = MPI_OP_NULL;
  MPI_Op_create(add, 1, &operation);
  for (int round = 0; round < 4; ++round) {
    // In the third round one of the ranks has ordinary memory, in the fourth all have.
    const bool is_shared = round < 2 || (round == 2 && program.rank() != 1);
    int* const memory = is_shared ? shared : own.data();
    for (const int count : {2000, 25'000, number_count_max}) {
      for (const MPI_Op each : {MPI_SUM, operation}) {
        CHECK_THAT_HOLDS(is_right(program, {memory, memory + number_count_max}, count, each));
        CHECK_THAT_HOLDS(is_right(program, {memory, memory}, count, each));
        const bool some_in_place = program.rank() == 0;
        CHECK_THAT_HOLDS(is_right(
            program, {memory, some_in_place ? memory : memory + number_count_max}, count, each));
      }
    }
  }
  MPI_Op_free(&operation);
  CHECK_THAT_HOLDS(Detour_Free(shared) == MPI_SUCCESS);
  return program.finish();
}
