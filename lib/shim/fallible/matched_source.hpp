// Whose message a receive from MPI_ANY_SOURCE is taking in, before it has all of it.
//
// MPI tells that only at the end. But a sender that dies in the middle of a long message leaves the receive without an
// end, and nobody can tell it from one that waits for a living sender. Open MPI keeps the status in the request
// and notes source and tag there as soon as a message is found; where in the request that is, is found out by receiving
// a message with a known tag from oneself. If that fails the answer is always "nobody".
#pragma once

#include <mpi.h>

#include <optional>

namespace detour::shim {

// Of a receive that is under way. Its rank in the communicator of the receive.
std::optional<int> matched_source(MPI_Request receive);

}  // namespace detour::shim
