// Open MPI's allreduces, each on a communicator of its own in this process, so that they can be called in turn.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "alternation/allreduce_call.hpp"

namespace detour::tool {

struct PeerCall {
  std::string name;
  AllreduceCall call;  // sums floats
};

// Before MPI starts: what can't be changed later. That the component `tuned` heeds a choice of algorithm, and that the
// component `sm` offers itself, though not unasked.
void prepare_environment_for_peers();

// One communicator for each algorithm of the component `tuned`, which reads the choice from the tool interface's
// control variables when a communicator is made; and one for each other component that has an allreduce on one node,
// by an info key of the communicator. Not `han`, which is for several nodes and disqualifies itself on one, nor
// `adapt`, which has no allreduce.
class OpenMpiPeers {
 public:
  // Collective. Throws BadInput, on all ranks, if MPI does not let itself be chosen from.
  OpenMpiPeers();
  ~OpenMpiPeers();
  OpenMpiPeers(const OpenMpiPeers&) = delete;
  OpenMpiPeers& operator=(const OpenMpiPeers&) = delete;

  const std::vector<PeerCall>& calls() const { return calls_; }

 private:
  void add_tuned(const std::string& name, int algorithm, int segment_bytes);
  void add_component(const std::string& name);
  void add_nonblocking();
  MPI_Comm duplicate(const char* preferred_component);

  std::vector<PeerCall> calls_;
  std::vector<MPI_Comm> comms_;
};

}  // namespace detour::tool
