// What all collective functions of the C interface have in common: finding the communicator, passing on
// what is not ours, and reporting errors.
#pragma once

#include <mpi.h>

#include <exception>
#include <new>

#include "core/communicators.hpp"

namespace detour {

// Through the communicator's error handler, as MPI does: returns only if that does.
int report(MPI_Comm comm, int error);

// The communicator if the library does this call, nothing if MPI does. An error has been reported.
struct Service {
  Communicator* communicator = nullptr;
  int error = MPI_SUCCESS;
};
Service service_for(MPI_Comm comm);

// `prepare` fills in the call and returns the class of the first error in its arguments; `finish` runs if
// the call succeeds. Whatever happens in `prepare`, the call is made: the other ranks wait for it.
template <class Prepare, class Finish, class PassOn>
int collective(MPI_Comm comm, Prepare prepare, Finish finish, PassOn pass_on) {
  const Service service = service_for(comm);
  if (service.error != MPI_SUCCESS) return service.error;
  if (service.communicator == nullptr) return pass_on();
  Call call;
  try {
    call.header.error = prepare(*service.communicator, call);
  } catch (const std::bad_alloc&) {
    call.header.error = MPI_ERR_NO_MEM;
  } catch (const std::exception&) {
    call.header.error = MPI_ERR_INTERN;
  }
  const int error = service.communicator->run(call);
  if (error != MPI_SUCCESS) return report(comm, error);
  finish();
  return MPI_SUCCESS;
}

}  // namespace detour
