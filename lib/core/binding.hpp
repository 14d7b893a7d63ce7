// How the ranks of a communicator find each other's memory.
//
// Collective, and blocking: the ranks exchange cards that say where their memory is, open what they can,
// and agree on whether it worked. If it did not on any of them, all try the next way, and end with none.
//
// Members may die meanwhile. On one node the last word is spoken in shared memory: each member has a counter in its
// block, which it raises when it has opened all others'. Whoever gives up instead, because it knows of a death, seals its own, and
// that of the dead. So each counter ends either raised or sealed, the same for all who look: either all
// members are bound, or none of them is.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/exchange.hpp"
#include "core/process.hpp"
#include "placement/placement.hpp"

namespace detour {

// Of a member, in its heap.
enum class BlockState : std::int32_t {
  no_heap,
  no_room,  // for now: other communicators have it
  there,
};

// What a rank says of itself. Plain bytes: travels in an allgather.
struct MemberCard {
  HeapHandle heap;
  std::uint64_t block_offset = 0;
  SharedBy shared_by = SharedBy::nothing;
  BlockState block_state = BlockState::no_heap;
  std::int32_t thread_level = MPI_THREAD_SINGLE;  // as MPI was started
  std::int32_t reserved = 0;
  std::uint64_t process = 0;   // its id
  std::uint64_t settings = 0;  // a fingerprint
  RankLocation location;
};

struct Binding {
  int rank = 0;
  int size = 1;
  std::vector<MemberCard> cards;
  std::shared_ptr<OwnHeap> heap;  // none: memory is not shared
  KnownPart block;                // in it, for this communicator
  std::vector<PeerHeap> peers;    // by rank; those of other nodes, and this rank's own, are empty

  const MemberCard& card(int member) const { return cards[static_cast<std::size_t>(member)]; }
  bool shares_memory() const { return heap != nullptr; }
  bool is_on_own_node(int member) const;
  std::size_t node_rank_count() const;  // of this rank's node
  // The processes of the other members on this rank's node.
  std::vector<PeerId> companions() const;
  // Whether threads of the library may call MPI, on all ranks.
  bool threads_may_call_mpi() const;
  bool is_one_node() const { return node_rank_count() == cards.size(); }
  // Where a member's heap is mapped here; only of this node.
  std::span<std::byte> heap_bytes(int member) const;
};

// A block that every member reserves in its heap, and how it is made before anybody else sees it.
struct BlockRequest {
  std::size_t bytes = 0;
  std::function<void(std::byte* heap, std::size_t offset)> create;
};

// Fails, on all ranks alike, if MPI fails or the ranks' settings differ. Refuses, on all that live, if a member
// is dead: then this rank knows it, too.
Outcome<Binding> bind(Exchange& exchange, Process& process, const BlockRequest& block);

}  // namespace detour
