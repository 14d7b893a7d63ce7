#include "bench/mpi_job.hpp"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "launcher_channel.hpp"

namespace detour::tool {

MpiJob::MpiJob(Ending ending, Threads threads) : ending_(ending) {
  if (threads == Threads::many) {
    int provided = MPI_THREAD_SINGLE;
    PMPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  } else {
    PMPI_Init(nullptr, nullptr);
  }
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank_);
}

MpiJob::~MpiJob() {
  std::cout.flush();
  if (ending_ == Ending::together) PMPI_Barrier(MPI_COMM_WORLD);
  PMPI_Finalize();
}

void MpiJob::abort(int exit_status) {
  // A job that goes on without ranks goes on after PMPI_Abort.
  if (announce_abort(exit_status, "detour ends the job")) ::pause();
  PMPI_Abort(MPI_COMM_WORLD, exit_status);
  std::abort();
}

MpiPeers::MpiPeers(MPI_Comm original) {
  PMPI_Comm_dup(original, &comm_);
  PMPI_Comm_rank(comm_, &rank_);
  PMPI_Comm_size(comm_, &count_);
  if (count_ > 1 && count_on_node() == count_) barrier_ = NodeBarrier::make(comm_);
}

MpiPeers::~MpiPeers() {
  barrier_.reset();
  PMPI_Comm_free(&comm_);
}

void MpiPeers::synchronise() {
  if (barrier_) {
    barrier_->wait();
  } else {
    PMPI_Barrier(comm_);
  }
}

std::vector<double> MpiPeers::sums(std::vector<double> values) {
  PMPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM,
                 comm_);
  return values;
}

std::vector<double> MpiPeers::maxima(std::vector<double> values) {
  PMPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX,
                 comm_);
  return values;
}

std::string MpiPeers::first_complaint(const std::string& own) {
  int speaker = own.empty() ? count_ : rank_;
  PMPI_Allreduce(MPI_IN_PLACE, &speaker, 1, MPI_INT, MPI_MIN, comm_);
  if (speaker == count_) return {};
  int length = static_cast<int>(own.size());
  PMPI_Bcast(&length, 1, MPI_INT, speaker, comm_);
  std::string text = own;
  text.resize(static_cast<std::size_t>(length));
  PMPI_Bcast(text.data(), length, MPI_CHAR, speaker, comm_);
  return text;
}

int MpiPeers::count_on_node() const {
  MPI_Comm node = MPI_COMM_NULL;
  PMPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int count = 1;
  PMPI_Comm_size(node, &count);
  PMPI_Comm_free(&node);
  return count;
}

bool mpi_takes_many_threads() {
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

std::string mpi_error_text(int error) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  PMPI_Error_string(error, text, &length);
  return {text, static_cast<std::size_t>(length)};
}

}  // namespace detour::tool
