// A communicator for each way, so that they can be called in turn.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "alternation/alternation.hpp"
#include "bench/peers.hpp"
#include "tune/way.hpp"

namespace detour::tool {

class WayComms {
 public:
  // Collective. Ways that the library can't go are left out, with a note.
  WayComms(const std::vector<Way>& ways, Peers& peers, std::vector<std::string>& notes);
  ~WayComms();
  WayComms(const WayComms&) = delete;
  WayComms& operator=(const WayComms&) = delete;

  // Those that are left.
  const std::vector<Way>& ways() const { return ways_; }
  // Of each way its calls.
  const std::vector<Entrant>& entrants() const { return entrants_; }

 private:
  std::vector<MPI_Comm> comms_;
  std::vector<Way> ways_;
  std::vector<Entrant> entrants_;
};

}  // namespace detour::tool
