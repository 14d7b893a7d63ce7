// Communicators that go while messages on them are under way, which MPI allows: their requests stay known.
#include "core/dead_ranks.hpp"
#include "shim/export.hpp"
#include "shim/fallible/request_book.hpp"
#include "shim/p2p/point_to_point.hpp"

namespace detour::shim {
namespace {

void forget(const MPI_Comm* comm) {
  if (comm == nullptr || *comm == MPI_COMM_NULL || !deaths_are_noticed()) return;
  if (!request_book().is_empty()) request_book().forget_communicator(*comm);
}

}  // namespace

int comm_free(MPI_Comm* comm) {
  forget(comm);
  return below().comm_free(comm);
}

int comm_disconnect(MPI_Comm* comm) {
  forget(comm);
  return below().comm_disconnect(comm);
}

}  // namespace detour::shim

namespace shim = detour::shim;

DETOUR_REPLACES_MPI int MPI_Comm_free(MPI_Comm* comm) {
  return shim::comm_free(comm);
}

DETOUR_REPLACES_MPI int MPI_Comm_disconnect(MPI_Comm* comm) {
  return shim::comm_disconnect(comm);
}
