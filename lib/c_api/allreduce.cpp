#include "c_api/collective.hpp"
#include "c_api/plain_allreduce.hpp"
#include "detour/detour.h"
#include "next_calls.hpp"
#include "shm/fetching.hpp"

[[gnu::hot]] int Detour_Allreduce(const void* sendbuf, void* recvbuf, int count,
                                  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  using namespace detour;
  fetch_for_reading(sendbuf != MPI_IN_PLACE ? sendbuf : recvbuf);
  PlainAllreduce plain;
  return collective(
      comm, CallKind::allreduce,
      [&](Member, Call& call) {
        return plain.prepare({sendbuf, recvbuf, count, datatype, op}, call);
      },
      [&](const MemberSet&) { plain.finish(); },
      [&] { return next_calls().allreduce(sendbuf, recvbuf, count, datatype, op, comm); });
}
