// A test program of several ranks: what a rank finds wrong is told in a line, and decides the exit status.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <string>

namespace detour::test {

class Job {
 public:
  Job(int* argc, char*** argv) {
    MPI_Init(argc, argv);
    look_round();
  }
  Job(int* argc, char*** argv, int thread_level) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(argc, argv, thread_level, &provided);
    look_round();
    expect(provided >= thread_level, "MPI gives the thread level that was asked for");
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  // Tells of the first few breaches only.
  void expect(bool holds, const std::string& what) {
    if (holds) return;
    constexpr int told_count_max = 5;
    if (++breach_count_ <= told_count_max) {
      std::fprintf(stderr, "rank %d: not so: %s\n", rank_, what.c_str());
    }
  }

  // Collective. The exit status: the same on all ranks, so that mpirun has nothing to add.
  int finish() {
    int everybodys = 0;
    PMPI_Allreduce(&breach_count_, &everybodys, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return everybodys == 0 ? 0 : 1;
  }

 private:
  void look_round() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  int rank_ = 0;
  int size_ = 1;
  int breach_count_ = 0;
};

}  // namespace detour::test
