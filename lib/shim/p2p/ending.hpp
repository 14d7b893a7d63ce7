// How calls end that have begun something in MPI.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <optional>

#include "core/dead_ranks.hpp"
#include "shim/fallible/request_book.hpp"

namespace detour::shim {

// Whether the call is more than MPI's own: that of PROC_NULL has ended before it begins.
inline bool is_watched(int peer) {
  return peer != MPI_PROC_NULL && deaths_are_noticed();
}

// Waits until the request has ended in MPI (nothing), or can't end: the code of the error. MPI has then forgotten it.
std::optional<int> failure_of(MPI_Request request, const FallibleRequest& what);

// The same with all that belongs to the end of a blocking call: completes the request, or reports the error.
int finish(MPI_Request request, const FallibleRequest& what, MPI_Status* status);

// For what MPI may still read on behalf of the dead.
inline void keep_for_ever(std::unique_ptr<std::byte[]> bytes) {
  static_cast<void>(bytes.release());
}

// Notes what a request of the program's waits for, if it was made. Gives the result back. Never throws: what MPI has begun
// has to be waited for, without memory even if nobody looks after it.
int remember(int result, const MPI_Request* request, const FallibleRequest& what) noexcept;

}  // namespace detour::shim
