// Whether the arguments of a collective call make sense, as far as one rank can tell.
//
// Every check returns MPI_SUCCESS or MPI's class of the first error found: communicator and root,
// counts, datatypes, operation, buffers. Where Open MPI finds the error too, the class is the one that
// it gives, but for a null datatype in a reduction, which is an MPI_ERR_TYPE here. What it lets pass
// or crashes on, and is an error here:
// - MPI_ERR_BUFFER: null where bytes are to be read or written, but for absolute addresses
//   (MPI_BOTTOM); buffers that overlap;
// - MPI_ERR_COUNT, MPI_ERR_TRUNCATE: a rank that sends fewer, or more, bytes than it expects from
//   itself;
// - MPI_ERR_TYPE: datatypes that are not committed, wherever they appear.
//
// Only communicators of one group (intracommunicators) come here.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "detour/routing/api.hpp"

namespace detour {

// The caller's place in the communicator.
struct Member {
  int rank = 0;
  int size = 1;
};

[[gnu::hot]] DETOUR_API int check_communicator(MPI_Comm comm);

DETOUR_API int check_allreduce(const void* send, const void* receive, int count, MPI_Datatype type,
                               MPI_Op op);
// Where datatype and operation are known to be fine, and elements lie side by side.
[[gnu::hot]] DETOUR_API int check_plain_allreduce(const void* send, const void* receive, int count,
                                                  std::size_t element_bytes);

DETOUR_API int check_reduce(const void* send, const void* receive, int count, MPI_Datatype type,
                            MPI_Op op, int root, Member caller);

DETOUR_API int check_reduce_scatter(const void* send, const void* receive, const int* counts,
                                    MPI_Datatype type, MPI_Op op, Member caller);

DETOUR_API int check_reduce_scatter_block(const void* send, const void* receive, int count,
                                          MPI_Datatype type, MPI_Op op, Member caller);

DETOUR_API int check_bcast(const void* buffer, int count, MPI_Datatype type, int root,
                           Member caller);

DETOUR_API int check_allgather(const void* send, int send_count, MPI_Datatype send_type,
                               const void* receive, int receive_count, MPI_Datatype receive_type,
                               Member caller);

DETOUR_API int check_allgatherv(const void* send, int send_count, MPI_Datatype send_type,
                                const void* receive, const int* receive_counts,
                                const int* displacements, MPI_Datatype receive_type, Member caller);

}  // namespace detour
