#include "shim/staged_arguments.hpp"

#include <numeric>

#include "shim/neighbours.hpp"

namespace detour::shim::stage {
namespace {

// The caller's part in a call.
struct Part {
  explicit Part(MPI_Comm comm) {
    int is_inter = 0;
    PMPI_Comm_test_inter(comm, &is_inter);
    is_between_groups = is_inter != 0;
    PMPI_Comm_rank(comm, &rank);
    if (is_between_groups) {
      PMPI_Comm_remote_size(comm, &peer_count);
      PMPI_Comm_size(comm, &group_size);
    } else {
      PMPI_Comm_size(comm, &peer_count);
      group_size = peer_count;
    }
  }

  bool is_root(int root) const { return is_between_groups ? root == MPI_ROOT : root == rank; }
  // Gives to the root, or gets from it: everybody, but only one group of two.
  bool is_peer_of(int root) const { return !is_between_groups || root >= 0; }

  int rank = 0;
  int peer_count = 1;  // whom an operation of all with all goes to
  int group_size = 1;
  bool is_between_groups = false;
};

MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent_bytes = 0;
  if (type != MPI_DATATYPE_NULL) PMPI_Type_get_extent(type, &lower_bound, &extent_bytes);
  return extent_bytes;
}

Blocks equal_blocks(int block_count, int count, MPI_Datatype type) {
  return Blocks(MPI_Count{block_count} * count, type);
}

Blocks listed_blocks(int block_count, const int* counts, const int* displacements,
                     MPI_Datatype type) {
  Blocks blocks;
  if (block_count > 0 && (counts == nullptr || displacements == nullptr)) {
    blocks.set_wrong();
    return blocks;
  }
  const MPI_Aint extent_bytes = extent_of(type);
  for (int at = 0; at < block_count; ++at) {
    blocks.add(displacements[at] * extent_bytes, counts[at], type);
  }
  return blocks;
}

// With a datatype for each; displacements are in bytes.
template <class Displacement>
Blocks mixed_blocks(int block_count, const int* counts, const Displacement* displacements,
                    const MPI_Datatype* types) {
  Blocks blocks;
  if (block_count > 0 && (counts == nullptr || displacements == nullptr || types == nullptr)) {
    blocks.set_wrong();
    return blocks;
  }
  for (int at = 0; at < block_count; ++at) blocks.add(displacements[at], counts[at], types[at]);
  return blocks;
}

// All operations in which what is received may have been there before, which `sendbuf` says.
void exchange(Staging& staging, const void*& sendbuf, const auto& sent, void*& recvbuf,
              const Blocks& received) {
  if (sendbuf == MPI_IN_PLACE) {
    staging.stage_output(recvbuf, received, received);
    return;
  }
  staging.stage_input(sendbuf, sent());
  staging.stage_output(recvbuf, received);
}

}  // namespace

void barrier(Staging&, MPI_Comm) {}

void bcast(Staging& staging, void*& buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const Part part(comm);
  if (part.is_root(root)) {
    const void* input = buffer;
    staging.stage_input(input, Blocks(count, type));
    buffer = const_cast<void*>(input);
  } else if (part.is_peer_of(root)) {
    staging.stage_output(buffer, Blocks(count, type));
  }
}

void gather(Staging& staging, const void*& sendbuf, int sendcount, MPI_Datatype sendtype,
            void*& recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const Part part(comm);
  const bool is_in_place = sendbuf == MPI_IN_PLACE;
  if (part.is_peer_of(root) && !is_in_place) {
    staging.stage_input(sendbuf, Blocks(sendcount, sendtype));
  }
  if (!part.is_root(root)) return;
  const Blocks all = equal_blocks(part.peer_count, recvcount, recvtype);
  staging.stage_output(recvbuf, all, is_in_place ? all : Blocks());
}

void gatherv(Staging& staging, const void*& sendbuf, int sendcount, MPI_Datatype sendtype,
             void*& recvbuf, const int* recvcounts, const int* displs, MPI_Datatype recvtype,
             int root, MPI_Comm comm) {
  const Part part(comm);
  const bool is_in_place = sendbuf == MPI_IN_PLACE;
  if (part.is_peer_of(root) && !is_in_place) {
    staging.stage_input(sendbuf, Blocks(sendcount, sendtype));
  }
  if (!part.is_root(root)) return;
  const Blocks all = listed_blocks(part.peer_count, recvcounts, displs, recvtype);
  staging.stage_output(recvbuf, all, is_in_place ? all : Blocks());
}

void scatter(Staging& staging, const void*& sendbuf, int sendcount, MPI_Datatype sendtype,
             void*& recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const Part part(comm);
  if (part.is_root(root)) {
    staging.stage_input(sendbuf, equal_blocks(part.peer_count, sendcount, sendtype));
  }
  if (part.is_peer_of(root) && recvbuf != MPI_IN_PLACE) {
    staging.stage_output(recvbuf, Blocks(recvcount, recvtype));
  }
}

void scatterv(Staging& staging, const void*& sendbuf, const int* sendcounts, const int* displs,
              MPI_Datatype sendtype, void*& recvbuf, int recvcount, MPI_Datatype recvtype, int root,
              MPI_Comm comm) {
  const Part part(comm);
  if (part.is_root(root)) {
    staging.stage_input(sendbuf, listed_blocks(part.peer_count, sendcounts, displs, sendtype));
  }
  if (part.is_peer_of(root) && recvbuf != MPI_IN_PLACE) {
    staging.stage_output(recvbuf, Blocks(recvcount, recvtype));
  }
}

void allgather(Staging& staging, const void*& sendbuf, int sendcount, MPI_Datatype sendtype,
               void*& recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  const Part part(comm);
  exchange(
      staging, sendbuf, [&] { return Blocks(sendcount, sendtype); }, recvbuf,
      equal_blocks(part.peer_count, recvcount, recvtype));
}

void allgatherv(Staging& staging, const void*& sendbuf, int sendcount, MPI_Datatype sendtype,
                void*& recvbuf, const int* recvcounts, const int* displs, MPI_Datatype recvtype,
                MPI_Comm comm) {
  const Part part(comm);
  exchange(
      staging, sendbuf, [&] { return Blocks(sendcount, sendtype); }, recvbuf,
      listed_blocks(part.peer_count, recvcounts, displs, recvtype));
}

void alltoall(Staging& staging, const void*& sendbuf, int sendcount, MPI_Datatype sendtype,
              void*& recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  const Part part(comm);
  exchange(
      staging, sendbuf, [&] { return equal_blocks(part.peer_count, sendcount, sendtype); }, recvbuf,
      equal_blocks(part.peer_count, recvcount, recvtype));
}

void alltoallv(Staging& staging, const void*& sendbuf, const int* sendcounts, const int* sdispls,
               MPI_Datatype sendtype, void*& recvbuf, const int* recvcounts, const int* rdispls,
               MPI_Datatype recvtype, MPI_Comm comm) {
  const Part part(comm);
  exchange(
      staging, sendbuf,
      [&] { return listed_blocks(part.peer_count, sendcounts, sdispls, sendtype); }, recvbuf,
      listed_blocks(part.peer_count, recvcounts, rdispls, recvtype));
}

void alltoallw(Staging& staging, const void*& sendbuf, const int* sendcounts, const int* sdispls,
               const MPI_Datatype* sendtypes, void*& recvbuf, const int* recvcounts,
               const int* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm) {
  const Part part(comm);
  exchange(
      staging, sendbuf,
      [&] { return mixed_blocks(part.peer_count, sendcounts, sdispls, sendtypes); }, recvbuf,
      mixed_blocks(part.peer_count, recvcounts, rdispls, recvtypes));
}

void allreduce(Staging& staging, const void*& sendbuf, void*& recvbuf, int count, MPI_Datatype type,
               MPI_Op, MPI_Comm) {
  exchange(
      staging, sendbuf, [&] { return Blocks(count, type); }, recvbuf, Blocks(count, type));
}

void reduce(Staging& staging, const void*& sendbuf, void*& recvbuf, int count, MPI_Datatype type,
            MPI_Op, int root, MPI_Comm comm) {
  const Part part(comm);
  const Blocks all(count, type);
  const bool is_in_place = sendbuf == MPI_IN_PLACE;
  if (part.is_peer_of(root) && !is_in_place) staging.stage_input(sendbuf, all);
  if (part.is_root(root)) staging.stage_output(recvbuf, all, is_in_place ? all : Blocks());
}

void reduce_scatter(Staging& staging, const void*& sendbuf, void*& recvbuf, const int* recvcounts,
                    MPI_Datatype type, MPI_Op, MPI_Comm comm) {
  const Part part(comm);
  if (recvcounts == nullptr) {
    staging.refuse();
    return;
  }
  // Between groups each scatters what the other one reduced: both have as many elements in all.
  const Blocks all(std::accumulate(recvcounts, recvcounts + part.group_size, MPI_Count{0}), type);
  const Blocks own(recvcounts[part.rank], type);
  if (sendbuf == MPI_IN_PLACE) {
    staging.stage_output(recvbuf, own, all);
    return;
  }
  staging.stage_input(sendbuf, all);
  staging.stage_output(recvbuf, own);
}

void reduce_scatter_block(Staging& staging, const void*& sendbuf, void*& recvbuf, int recvcount,
                          MPI_Datatype type, MPI_Op, MPI_Comm comm) {
  const Part part(comm);
  const Blocks all = equal_blocks(part.group_size, recvcount, type);
  const Blocks own(recvcount, type);
  if (sendbuf == MPI_IN_PLACE) {
    staging.stage_output(recvbuf, own, all);
    return;
  }
  staging.stage_input(sendbuf, all);
  staging.stage_output(recvbuf, own);
}

void scan(Staging& staging, const void*& sendbuf, void*& recvbuf, int count, MPI_Datatype type,
          MPI_Op op, MPI_Comm comm) {
  allreduce(staging, sendbuf, recvbuf, count, type, op, comm);
}

void exscan(Staging& staging, const void*& sendbuf, void*& recvbuf, int count, MPI_Datatype type,
            MPI_Op, MPI_Comm) {
  const Blocks all(count, type);
  if (sendbuf != MPI_IN_PLACE) staging.stage_input(sendbuf, all);
  staging.stage_output(recvbuf, all, all);
}

void neighbor_allgather(Staging& staging, const void*& sendbuf, int sendcount,
                        MPI_Datatype sendtype, void*& recvbuf, int recvcount, MPI_Datatype recvtype,
                        MPI_Comm comm) {
  const Blocks received = equal_blocks(neighbours_in(comm).source_count, recvcount, recvtype);
  staging.stage_input(sendbuf, Blocks(sendcount, sendtype));
  staging.stage_output(recvbuf, received, received);
}

void neighbor_allgatherv(Staging& staging, const void*& sendbuf, int sendcount,
                         MPI_Datatype sendtype, void*& recvbuf, const int* recvcounts,
                         const int* displs, MPI_Datatype recvtype, MPI_Comm comm) {
  const Blocks received =
      listed_blocks(neighbours_in(comm).source_count, recvcounts, displs, recvtype);
  staging.stage_input(sendbuf, Blocks(sendcount, sendtype));
  staging.stage_output(recvbuf, received, received);
}

void neighbor_alltoall(Staging& staging, const void*& sendbuf, int sendcount, MPI_Datatype sendtype,
                       void*& recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  const Neighbours neighbours = neighbours_in(comm);
  const Blocks received = equal_blocks(neighbours.source_count, recvcount, recvtype);
  staging.stage_input(sendbuf, equal_blocks(neighbours.destination_count, sendcount, sendtype));
  staging.stage_output(recvbuf, received, received);
}

void neighbor_alltoallv(Staging& staging, const void*& sendbuf, const int* sendcounts,
                        const int* sdispls, MPI_Datatype sendtype, void*& recvbuf,
                        const int* recvcounts, const int* rdispls, MPI_Datatype recvtype,
                        MPI_Comm comm) {
  const Neighbours neighbours = neighbours_in(comm);
  const Blocks received = listed_blocks(neighbours.source_count, recvcounts, rdispls, recvtype);
  staging.stage_input(sendbuf,
                      listed_blocks(neighbours.destination_count, sendcounts, sdispls, sendtype));
  staging.stage_output(recvbuf, received, received);
}

void neighbor_alltoallw(Staging& staging, const void*& sendbuf, const int* sendcounts,
                        const MPI_Aint* sdispls, const MPI_Datatype* sendtypes, void*& recvbuf,
                        const int* recvcounts, const MPI_Aint* rdispls,
                        const MPI_Datatype* recvtypes, MPI_Comm comm) {
  const Neighbours neighbours = neighbours_in(comm);
  const Blocks received = mixed_blocks(neighbours.source_count, recvcounts, rdispls, recvtypes);
  staging.stage_input(sendbuf,
                      mixed_blocks(neighbours.destination_count, sendcounts, sdispls, sendtypes));
  staging.stage_output(recvbuf, received, received);
}

}  // namespace detour::shim::stage
