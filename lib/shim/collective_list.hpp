// The collective operations of MPI's: one line each, which C's functions, Fortran's and those that libdetour
// passes calls on to are made from.
//
//   X(C's name, its nonblocking form and Fortran's after their prefixes, number of arguments)
#pragma once

// What libdetour has no operation for.
#define DETOUR_OTHER_COLLECTIVES(X)                                   \
  X(Gather, gather, GATHER, 8)                                        \
  X(Gatherv, gatherv, GATHERV, 9)                                     \
  X(Scatter, scatter, SCATTER, 8)                                     \
  X(Scatterv, scatterv, SCATTERV, 9)                                  \
  X(Alltoall, alltoall, ALLTOALL, 7)                                  \
  X(Alltoallv, alltoallv, ALLTOALLV, 9)                               \
  X(Scan, scan, SCAN, 6)                                              \
  X(Exscan, exscan, EXSCAN, 6)                                        \
  X(Neighbor_allgather, neighbor_allgather, NEIGHBOR_ALLGATHER, 7)    \
  X(Neighbor_allgatherv, neighbor_allgatherv, NEIGHBOR_ALLGATHERV, 8) \
  X(Neighbor_alltoall, neighbor_alltoall, NEIGHBOR_ALLTOALL, 7)       \
  X(Neighbor_alltoallv, neighbor_alltoallv, NEIGHBOR_ALLTOALLV, 9)

// The same, with lists of datatypes among their arguments.
#define DETOUR_OTHER_COLLECTIVES_OF_TYPES(X) \
  X(Alltoallw, alltoallw, ALLTOALLW, 9)      \
  X(Neighbor_alltoallw, neighbor_alltoallw, NEIGHBOR_ALLTOALLW, 9)

// Blocking they are libdetour's, but for those between two groups.
#define DETOUR_OWN_COLLECTIVES(X)                      \
  X(Barrier, barrier, BARRIER, 1)                      \
  X(Bcast, bcast, BCAST, 5)                            \
  X(Allgather, allgather, ALLGATHER, 7)                \
  X(Allgatherv, allgatherv, ALLGATHERV, 8)             \
  X(Reduce, reduce, REDUCE, 7)                         \
  X(Reduce_scatter, reduce_scatter, REDUCE_SCATTER, 6) \
  X(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK, 6)

// Nonblocking it is libdetour's too, but for user-defined operations and communicators that it does not know.
#define DETOUR_OWN_IN_BOTH_FORMS(X) X(Allreduce, allreduce, ALLREDUCE, 6)
