#include "calls.hpp"

#include <cstddef>
#include <utility>

namespace others {

Data::Data(MPI_Comm of, int block_count, int block_length) : comm(of), length(block_length) {
  MPI_Comm_rank(comm, &rank);
  const auto blocks = static_cast<std::size_t>(block_count);
  counts.assign(blocks, length);
  types.assign(blocks, MPI_INT);
  for (int block = 0; block < block_count; ++block) {
    displacements.push_back(block * length);
    displacements_bytes.push_back(block * length * static_cast<int>(sizeof(int)));
    addresses_bytes.push_back(displacements_bytes.back());
    sent.insert(sent.end(), static_cast<std::size_t>(length), 100 * (rank + 1) + block);
  }
  received.assign(sent.size(), -1);
}

namespace {

// Each in both forms, with the same arguments: `...` are those before the communicator.
#define OTHERS_BOTH(list, name, lower, neighbours, ...)                                  \
  list.first.push_back({"MPI_" #name, neighbours, false,                                 \
                        [](Data& d, MPI_Request*) { return MPI_##name(__VA_ARGS__); }}); \
  list.second.push_back({"MPI_I" #lower, neighbours, true,                               \
                         [](Data& d, MPI_Request* r) { return MPI_I##lower(__VA_ARGS__, r); }});
#define OTHERS_NONBLOCKING(list, lower, ...)          \
  list.second.push_back({"MPI_I" #lower, false, true, \
                         [](Data& d, MPI_Request* r) { return MPI_I##lower(__VA_ARGS__, r); }});

#define OTHERS_SENT d.sent.data(), d.length, MPI_INT
#define OTHERS_RECEIVED d.received.data(), d.length, MPI_INT
#define OTHERS_SENT_V d.sent.data(), d.counts.data(), d.displacements.data(), MPI_INT
#define OTHERS_RECEIVED_V d.received.data(), d.counts.data(), d.displacements.data(), MPI_INT
#define OTHERS_SENT_W d.sent.data(), d.counts.data(), d.displacements_bytes.data(), d.types.data()
#define OTHERS_RECEIVED_W \
  d.received.data(), d.counts.data(), d.displacements_bytes.data(), d.types.data()
#define OTHERS_SENT_A d.sent.data(), d.counts.data(), d.addresses_bytes.data(), d.types.data()
#define OTHERS_RECEIVED_A \
  d.received.data(), d.counts.data(), d.addresses_bytes.data(), d.types.data()
#define OTHERS_REDUCED d.sent.data(), d.received.data(), d.length, MPI_INT, MPI_SUM

using Calls = std::vector<OtherCall>;

std::pair<Calls, Calls> make_calls() {
  std::pair<Calls, Calls> list;
  OTHERS_BOTH(list, Gather, gather, false, OTHERS_SENT, OTHERS_RECEIVED, 0, d.comm)
  OTHERS_BOTH(list, Gatherv, gatherv, false, OTHERS_SENT, OTHERS_RECEIVED_V, 0, d.comm)
  OTHERS_BOTH(list, Scatter, scatter, false, OTHERS_SENT, OTHERS_RECEIVED, 0, d.comm)
  OTHERS_BOTH(list, Scatterv, scatterv, false, OTHERS_SENT_V, OTHERS_RECEIVED, 0, d.comm)
  OTHERS_BOTH(list, Alltoall, alltoall, false, OTHERS_SENT, OTHERS_RECEIVED, d.comm)
  OTHERS_BOTH(list, Alltoallv, alltoallv, false, OTHERS_SENT_V, OTHERS_RECEIVED_V, d.comm)
  OTHERS_BOTH(list, Alltoallw, alltoallw, false, OTHERS_SENT_W, OTHERS_RECEIVED_W, d.comm)
  OTHERS_BOTH(list, Scan, scan, false, OTHERS_REDUCED, d.comm)
  OTHERS_BOTH(list, Exscan, exscan, false, OTHERS_REDUCED, d.comm)
  OTHERS_BOTH(list, Neighbor_allgather, neighbor_allgather, true, OTHERS_SENT, OTHERS_RECEIVED,
              d.comm)
  OTHERS_BOTH(list, Neighbor_allgatherv, neighbor_allgatherv, true, OTHERS_SENT, OTHERS_RECEIVED_V,
              d.comm)
  OTHERS_BOTH(list, Neighbor_alltoall, neighbor_alltoall, true, OTHERS_SENT, OTHERS_RECEIVED,
              d.comm)
  OTHERS_BOTH(list, Neighbor_alltoallv, neighbor_alltoallv, true, OTHERS_SENT_V, OTHERS_RECEIVED_V,
              d.comm)
  OTHERS_BOTH(list, Neighbor_alltoallw, neighbor_alltoallw, true, OTHERS_SENT_A, OTHERS_RECEIVED_A,
              d.comm)
  OTHERS_NONBLOCKING(list, barrier, d.comm)
  OTHERS_NONBLOCKING(list, bcast, OTHERS_RECEIVED, 0, d.comm)
  OTHERS_NONBLOCKING(list, allgather, OTHERS_SENT, OTHERS_RECEIVED, d.comm)
  OTHERS_NONBLOCKING(list, allgatherv, OTHERS_SENT, OTHERS_RECEIVED_V, d.comm)
  OTHERS_NONBLOCKING(list, reduce, OTHERS_REDUCED, 0, d.comm)
  OTHERS_NONBLOCKING(list, reduce_scatter, d.sent.data(), d.received.data(), d.counts.data(),
                     MPI_INT, MPI_SUM, d.comm)
  OTHERS_NONBLOCKING(list, reduce_scatter_block, OTHERS_REDUCED, d.comm)
  return list;
}

const std::pair<Calls, Calls>& calls() {
  static const auto all = make_calls();
  return all;
}

}  // namespace

const std::vector<OtherCall>& blocking_calls() {
  return calls().first;
}

const std::vector<OtherCall>& nonblocking_calls() {
  return calls().second;
}

}  // namespace others
