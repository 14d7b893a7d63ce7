// A job whose ranks kill themselves, and check themselves what the others get to see.
#pragma once

#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace detour::kills {

// A rank that finds something wrong ends the whole job.
inline void expect(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what.c_str());
  std::fflush(stderr);
  PMPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

inline void die() {
  kill(getpid(), SIGKILL);
}

// From MPI_Init to MPI_Finalize.
class CheckingJob {
 public:
  CheckingJob(int argc, char** argv, int size) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    expect(size_ == size, "there are " + std::to_string(size) + " ranks");
  }
  ~CheckingJob() { MPI_Finalize(); }
  CheckingJob(const CheckingJob&) = delete;
  CheckingJob& operator=(const CheckingJob&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

 private:
  int rank_ = 0;
  int size_ = 0;
};

}  // namespace detour::kills
