#include "c_api/collective.hpp"
#include "detour/detour.h"
#include "next_calls.hpp"

int Detour_Barrier(MPI_Comm comm) {
  using namespace detour;
  return collective(
      comm, CallKind::barrier, [](Member, Call&) { return MPI_SUCCESS; }, [](const MemberSet&) {},
      [comm] { return next_calls().barrier(comm); });
}
