// The program as an MPI job: one process of it speaks, and all of them end alike.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>

#include "bench/node_barrier.hpp"
#include "bench/peers.hpp"

namespace detour::tool {

// MPI from here to the end of its scope. Without mpirun it is a job of one rank.
class MpiJob {
 public:
  // Whoever launched the job may end it as soon as one rank has left with an error, so all leave together,
  // unless some of them will not be there any more.
  enum class Ending { together, each_alone };
  // Whether threads of the library may call MPI, as they do for nonblocking operations that reach other nodes.
  enum class Threads { one, many };
  explicit MpiJob(Ending ending, Threads threads = Threads::one);
  ~MpiJob();
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;

  bool speaks() const { return rank_ == 0; }
  // Ends all ranks at once.
  [[noreturn]] void abort(int exit_status);

 private:
  const Ending ending_;
  int rank_ = 0;
};

// All ranks of a communicator, on a duplicate of it.
class MpiPeers final : public Peers {
 public:
  explicit MpiPeers(MPI_Comm original);
  ~MpiPeers() override;
  MpiPeers(const MpiPeers&) = delete;
  MpiPeers& operator=(const MpiPeers&) = delete;

  int rank() const override { return rank_; }
  int count() const override { return count_; }
  void synchronise() override;
  std::vector<double> sums(std::vector<double> values) override;
  std::vector<double> maxima(std::vector<double> values) override;
  std::string first_complaint(const std::string& own) override;

  // How many of them share this rank's memory.
  int count_on_node() const;

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int count_ = 1;
  std::unique_ptr<NodeBarrier> barrier_;  // where all are on one node
};

// Whether MPI lets many threads call it.
bool mpi_takes_many_threads();

// MPI's words for an error.
std::string mpi_error_text(int error);

}  // namespace detour::tool
