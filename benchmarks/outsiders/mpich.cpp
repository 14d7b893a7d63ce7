// MPICH's allreduce, as it comes.
#include <mpi.h>

#include "outsider.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const outsider::Options options = outsider::read_options(argc, argv);
  outsider::Library library;
  library.name = "MPICH";
#ifdef MPICH_VERSION
  library.version = "MPICH " MPICH_VERSION;
#endif
  MPI_Comm_rank(MPI_COMM_WORLD, &library.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &library.rank_count);
  library.allreduce = [](const float* send, float* receive, std::size_t count) {
    MPI_Allreduce(send == nullptr ? MPI_IN_PLACE : send, receive, static_cast<int>(count),
                  MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  };
  library.barrier = [] { MPI_Barrier(MPI_COMM_WORLD); };
  library.take_maxima = [](std::vector<double>& values) {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX,
                  MPI_COMM_WORLD);
  };
  outsider::measure(library, options);
  MPI_Finalize();
}
