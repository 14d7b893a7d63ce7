// Users' operations on elements that are larger than what the library cuts payloads into.
#include <vector>

#include "detour/detour.h"
#include "mpi_program.hpp"

namespace {

using namespace detour::test;

void add_large_elements(const MpiProgram& program, bool is_commutative, int int_count) {
  const AddInts add(is_commutative);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(int_count, MPI_INT, &type);
  MPI_Type_commit(&type);
  constexpr std::size_t element_count = 3;
  const std::vector<int> own(element_count * static_cast<std::size_t>(int_count), program.rank());
  std::vector<int> sum(own.size());
  CHECK_THAT_HOLDS(Detour_Allreduce(own.data(), sum.data(), element_count, type, add.op(),
                                    MPI_COMM_WORLD) == MPI_SUCCESS);
  CHECK_THAT_HOLDS(sum == std::vector<int>(own.size(), program.sum_of_ranks()));
  std::fill(sum.begin(), sum.end(), 0);
  CHECK_THAT_HOLDS(Detour_Reduce(own.data(), sum.data(), element_count, type, add.op(), 0,
                                 MPI_COMM_WORLD) == MPI_SUCCESS);
  const int expected = program.rank() == 0 ? program.sum_of_ranks() : 0;
  CHECK_THAT_HOLDS(sum == std::vector<int>(own.size(), expected));
  MPI_Type_free(&type);
}

}  // namespace

int main() {
  const MpiProgram program;
  constexpr int piece_int_count = 256 * 1024 / 4;
  for (const int int_count : {piece_int_count, piece_int_count + 1, 3 * piece_int_count}) {
    for (const bool is_commutative : {true, false}) {
      add_large_elements(program, is_commutative, int_count);
    }
  }
  return program.finish();
}
