// Sums with the installed library's C++ interface, as a program of one rank.
#include <detour/detour.hpp>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::vector<double> numbers(3, 1.0);
  {
    auto world = detour::Communicator::world();
    world.allreduce(numbers);
  }
  MPI_Finalize();
  return numbers == std::vector<double>(3, 1.0) ? 0 : 1;
}
