// A program of MPI's alone, linked with the library that takes its functions over: says whether it has.
#include <dlfcn.h>
#include <mpi.h>

#include <cstring>
#include <iostream>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int one = 1;
  int sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();

  Dl_info info{};
  dladdr(dlsym(RTLD_DEFAULT, "MPI_Allreduce"), &info);
  std::cout << "MPI_Allreduce is in " << info.dli_fname << '\n';
  return sum == 1 && std::strstr(info.dli_fname, "libdetour_mpi") != nullptr ? 0 : 1;
}
