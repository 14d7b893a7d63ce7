// Communicators that go while messages on them are under way, which MPI allows: their requests stay known.
#include "core/dead_ranks.hpp"
#include "requests/request_table.hpp"
#include "shim/export.hpp"
#include "shim/fallible/request_book.hpp"
#include "shim/p2p/point_to_point.hpp"
#include "shim/reporting_exceptions.hpp"

namespace detour::shim {

void forget_requests_on(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return;
  if (!request_table().is_empty()) request_table().forget_communicator(comm);
  if (!deaths_are_noticed()) return;
  if (!request_book().is_empty()) request_book().forget_communicator(comm);
  forget_messages_on(comm);
}

int comm_free(MPI_Comm* comm) {
  return reporting_exceptions([&] {
    if (comm != nullptr) forget_requests_on(*comm);
    return below().comm_free(comm);
  });
}

}  // namespace detour::shim

namespace shim = detour::shim;

DETOUR_REPLACES_MPI int MPI_Comm_free(MPI_Comm* comm) {
  return shim::comm_free(comm);
}
