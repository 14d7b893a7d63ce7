// What the library knows of one of the program's communicators, and how calls on it are carried out.
//
// One call at a time: MPI forbids several threads to be in blocking collectives of one communicator at
// once, and nonblocking ones wait for their turn. mutex_ guards all that a call changes.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/binding.hpp"
#include "core/call.hpp"
#include "node/direct_group.hpp"
#include "settings.hpp"

namespace detour {

struct CommunicatorStatistics {
  std::uint64_t operation_count = 0;
  std::uint64_t passed_on_count = 0;
  std::uint64_t payload_bytes = 0;
  std::uint64_t error_count = 0;
};

class Communicator {
 public:
  // Collective over a communicator of one group. Fails on all ranks alike.
  static Outcome<std::shared_ptr<Communicator>> create(MPI_Comm comm, Process& process);

  Communicator(MPI_Comm comm, Process& process, Binding binding);

  MPI_Comm comm() const { return comm_; }
  int rank() const { return binding_.rank; }
  int size() const { return binding_.size; }
  const Binding& binding() const { return binding_; }

  // Whether the library can do anything here; otherwise calls go to MPI. The same on all ranks.
  bool is_served() const { return size() == 1 || direct_.has_value(); }

  // Does the call, or fails like everybody else: MPI_SUCCESS, or an error class.
  int run(const Call& call);

  CommunicatorStatistics statistics();
  void count_passed_on();

 private:
  int run_alone(const Call& call);
  int run_direct(const Call& call);
  bool ensure_pipeline();
  void account(const Call& call, int error);

  const MPI_Comm comm_;
  Process& process_;
  Binding binding_;
  std::mutex mutex_;
  std::optional<CallBoard> board_;
  std::optional<DirectGroup> direct_;  // on one node only
  HeapPart pipeline_;
  CommunicatorStatistics statistics_;
};

}  // namespace detour
