#include "c_api/collective.hpp"
#include "c_api/plain_allreduce.hpp"
#include "c_api/short_allreduce.hpp"
#include "detour/detour.h"
#include "next_calls.hpp"
#include "shm/fetching.hpp"

namespace detour {
namespace {

int allreduce_at_length(const AllreduceArguments& arguments, MPI_Comm comm) {
  const auto& [sendbuf, recvbuf, count, datatype, op] = arguments;
  PlainAllreduce plain;
  return collective(
      comm, CallKind::allreduce, [&](Member, Call& call) { return plain.prepare(arguments, call); },
      [&](const MemberSet&) { plain.finish(); },
      [&] { return next_calls().allreduce(sendbuf, recvbuf, count, datatype, op, comm); });
}

}  // namespace
}  // namespace detour

[[gnu::hot]] int Detour_Allreduce(const void* sendbuf, void* recvbuf, int count,
                                  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  using namespace detour;
  fetch_for_reading(sendbuf != MPI_IN_PLACE ? sendbuf : recvbuf);
  const AllreduceArguments arguments{sendbuf, recvbuf, count, datatype, op};
  const auto error = allreduce_shortly(arguments, comm);
  return error ? *error : allreduce_at_length(arguments, comm);
}
