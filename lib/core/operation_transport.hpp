// The transport of one operation: shared memory, MPI, or for each peer one of the two.
#pragma once

#include <cstdint>
#include <optional>

#include "core/route_book.hpp"
#include "core/ways.hpp"
#include "transport/pair_transport.hpp"
#include "transport/shm_transport.hpp"

namespace detour {

class OperationTransport {
 public:
  // Ways and route have to live longer. Gets all memory that the operation needs: look at error()
  // before the other ranks are told to start.
  OperationTransport(const Ways& ways, const Route& route, std::uint64_t epoch);

  // An error class of MPI. After an error nothing moves.
  int error() const;
  Transport& transport();

 private:
  std::optional<ShmTransport> near_;
  std::optional<MpiTransport> far_;
  std::optional<PairTransport> both_;
};

}  // namespace detour
