#include "transport/mpi_node.hpp"

namespace detour::test {
namespace {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

}  // namespace

MpiNode::MpiNode(MPI_Comm comm, Rank ranks_per_node, std::size_t heap_bytes)
    : ranks_per_node_(ranks_per_node),
      rank_(rank_in(comm)),
      own_heap_(SharedHeap::create(heap_bytes).value()),
      arena_(own_heap_) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  const auto member_count = static_cast<std::size_t>(size);
  // Every rank has them at the same offsets: they are the first that its arena is asked for.
  const HeapBlock table = arena_.allocate(LinkTable::bytes(member_count)).value();
  const HeapBlock bell = arena_.allocate(sizeof(Counter), alignof(Counter)).value();
  LinkTable::create_at(arena_.memory_of(table).data(), member_count);
  Counter::create_at(arena_.memory_of(bell).data());
  const HeapHandle own_handle = own_heap_.handle();
  std::vector<HeapHandle> handles(member_count);
  MPI_Allgather(&own_handle, sizeof own_handle, MPI_BYTE, handles.data(), sizeof own_handle,
                MPI_BYTE, comm);
  std::vector<ShmMember> members(member_count);
  peer_heaps_.reserve(member_count);
  for (Rank peer = 0; peer < size; ++peer) {
    if (!is_near(peer)) continue;
    const auto at = static_cast<std::size_t>(peer);
    if (peer != rank_) peer_heaps_.push_back(SharedHeap::open(handles[at]).value());
    const auto heap = peer == rank_ ? own_heap_.bytes() : peer_heaps_.back().bytes();
    members[at] = {heap.data() + table.offset, heap, &Counter::at(heap.data() + bell.offset)};
  }
  links_.emplace(rank_, members, GuardedArena{arena_, mutex_});
  MPI_Barrier(comm);  // a heap can be opened only while its owner lives
}

}  // namespace detour::test
