// The communicator on which the library sends to ranks that share no memory with this one.
#pragma once

#include <mpi.h>

#include <vector>

#include "transport/mpi_transport.hpp"

namespace detour {

class FarComm {
 public:
  // Collective over the program's communicator, which must not be used for the library's messages: they
  // would be taken for the program's. `is_near` by rank: those that are reached otherwise.
  FarComm(MPI_Comm comm, const std::vector<bool>& is_near);
  ~FarComm();
  FarComm(const FarComm&) = delete;
  FarComm& operator=(const FarComm&) = delete;

  const MpiRoute& route() const { return route_; }

 private:
  MpiRoute route_;
};

}  // namespace detour
