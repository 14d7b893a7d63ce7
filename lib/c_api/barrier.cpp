#include "c_api/collective.hpp"
#include "detour/detour.h"
#include "next_calls.hpp"

int Detour_Barrier(MPI_Comm comm) {
  return detour::collective(
      comm, [](const detour::Communicator&, detour::Call&) { return MPI_SUCCESS; }, [] {},
      [comm] { return detour::next_calls().barrier(comm); });
}
