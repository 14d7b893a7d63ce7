// What all collective functions of the C interface have in common: finding the communicator, passing on
// what is not ours, and reporting errors.
#pragma once

#include <mpi.h>

#include "core/communicators.hpp"
#include "guarded.hpp"
#include "mpi/arguments.hpp"
#include "mpi/report.hpp"

namespace detour {

// For a function's whole body, which returns errors that it has reported.
template <class Body>
int reporting(MPI_Comm comm, Body body) {
  return guarded(body, [&](int error) { return report(comm, error); });
}

// The communicator if the library does this call, nothing if MPI does. An error has been reported.
struct Service {
  Communicator* communicator = nullptr;
  int error = MPI_SUCCESS;
};
[[gnu::hot]] Service service_for(MPI_Comm comm);

// Whatever `prepare` finds, the call is made: the other ranks wait for it. It fills in the call, or returns
// the class of the first error in the arguments; `finish` runs if the call succeeds, and is told whose data is in the
// result.
template <class Prepare, class Finish, class PassOn>
int collective(MPI_Comm comm, CallKind kind, Prepare prepare, Finish finish, PassOn pass_on) {
  return reporting(comm, [&] {
    const Service service = service_for(comm);
    if (service.error != MPI_SUCCESS) return service.error;
    if (service.communicator == nullptr) return pass_on();
    Communicator& communicator = *service.communicator;
    Call call;
    call.header.kind = kind;
    call.header.error = guarded([&] {
      return prepare(Member{communicator.rank(), communicator.size()}, call);
    });
    const int error = communicator.run(call);
    if (error != MPI_SUCCESS) return report(comm, error);
    finish(communicator.result().contributors);
    return MPI_SUCCESS;
  });
}

}  // namespace detour
