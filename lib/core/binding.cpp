#include "core/binding.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "core/dead_ranks.hpp"
#include "core/deaths.hpp"
#include "log.hpp"

namespace detour {
namespace {

// Travels as it is: every byte of it has a value.
static_assert(std::has_unique_object_representations_v<MemberCard>);

SharedBy next_way(SharedBy way) {
  return static_cast<SharedBy>(static_cast<std::int32_t>(way) + 1);
}

// MPI_UNDEFINED for processes that are of another world: started by this one, or met in it.
std::vector<int> world_ranks_of(MPI_Comm comm, int size) {
  std::vector<int> members(static_cast<std::size_t>(size));
  std::iota(members.begin(), members.end(), 0);
  std::vector<int> world_ranks(members.size(), MPI_UNDEFINED);
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(group, size, members.data(), world, world_ranks.data());
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return world_ranks;
}

class Binder {
 public:
  Binder(MPI_Comm comm, Process& process, const BlockRequest& block)
      : comm_(comm), process_(process), block_(block) {
    PMPI_Comm_rank(comm, &binding_.rank);
    PMPI_Comm_size(comm, &binding_.size);
    binding_.cards.resize(static_cast<std::size_t>(binding_.size));
    binding_.peers.resize(binding_.cards.size());
  }

  Outcome<Binding> bind();

 private:
  MemberCard make_card(SharedBy way);
  BlockState reserve_block(SharedBy way);
  bool somebody_has_no_room() const;
  bool exchange(const MemberCard& card);
  bool open_peers();
  bool agree_that(bool yes);
  void watch_peers() const;

  MPI_Comm comm_;
  Process& process_;
  const BlockRequest& block_;
  Binding binding_;
};

// Every decision in here is made from what all ranks know, so that all go round equally often.
Outcome<Binding> Binder::bind() {
  SharedBy way = process_.shared_by();
  bool is_crowded = false;
  for (;;) {
    if (!exchange(make_card(way))) return Failure{"MPI could not exchange addresses"};
    const auto& cards = binding_.cards;
    const auto differs = [&](const MemberCard& card) { return card.settings != cards[0].settings; };
    if (std::any_of(cards.begin(), cards.end(), differs)) {
      return Failure{"the ranks' DETOUR_ settings differ: set the same on all of them"};
    }
    const auto ways =
        std::minmax_element(cards.begin(), cards.end(),
                            [](const auto& a, const auto& b) { return a.shared_by < b.shared_by; });
    const SharedBy furthest = ways.second->shared_by;
    if (ways.first->shared_by == furthest) {
      if (furthest == SharedBy::nothing || agree_that(open_peers())) break;
      is_crowded = somebody_has_no_room();
      way = is_crowded ? SharedBy::nothing : next_way(furthest);
    } else {
      way = furthest;  // somebody knows already that what comes before does not work
    }
    binding_.block = {};
    binding_.heap = nullptr;
  }
  if (binding_.heap) {
    binding_.heap->unlink();
    watch_peers();
  }
  if (!binding_.heap && process_.settings().transport != TransportChoice::mpi) {
    log(LogLevel::info, "no memory is shared by the {} ranks: they use MPI's messages",
        binding_.size);
  }
  // A heap that is full has room again when communicators are freed: the next one may have a part of it.
  if (!is_crowded) process_.set_shared_by(binding_.cards[0].shared_by);
  return std::move(binding_);
}

MemberCard Binder::make_card(SharedBy way) {
  MemberCard card;
  card.shared_by = way;
  card.block_state = reserve_block(way);
  if (card.block_state == BlockState::there) {
    card.heap = binding_.heap->handle();
    card.block_offset = binding_.block.offset();
  }
  card.process = process_.id();
  card.settings = fingerprint(process_.settings()) ^ process_.table().fingerprint();
  card.location = own_location();
  PMPI_Query_thread(&card.thread_level);
  return card;
}

BlockState Binder::reserve_block(SharedBy way) {
  if (way == SharedBy::nothing) return BlockState::no_heap;
  auto heap = process_.heap(way, binding_.cards.size());
  if (!heap.ok()) {
    log(LogLevel::info, "no shared memory: {}", heap.reason());
    return BlockState::no_heap;
  }
  HeapPart block = allocate_part(heap.value(), block_.bytes);
  if (!block) {
    log(LogLevel::info, "no room for another communicator in {} bytes of shared memory",
        heap.value()->capacity_bytes());
    return BlockState::no_room;
  }
  block_.create(heap.value()->base(), block.offset());
  binding_.heap = heap.value();
  binding_.block = std::move(block);
  return BlockState::there;
}

bool Binder::somebody_has_no_room() const {
  return std::any_of(binding_.cards.begin(), binding_.cards.end(), [](const MemberCard& card) {
    return card.block_state == BlockState::no_room;
  });
}

bool Binder::exchange(const MemberCard& card) {
  const int bytes = static_cast<int>(sizeof(MemberCard));
  return PMPI_Allgather(&card, bytes, MPI_BYTE, binding_.cards.data(), bytes, MPI_BYTE, comm_) ==
         MPI_SUCCESS;
}

// Of this node only. False if any of them can't be opened, or has none.
bool Binder::open_peers() {
  for (int member = 0; member < binding_.size; ++member) {
    const auto at = static_cast<std::size_t>(member);
    const MemberCard& card = binding_.cards[at];
    if (card.block_state != BlockState::there) return false;
    if (member == binding_.rank || !binding_.is_on_own_node(member)) continue;
    auto peer = process_.peer_heaps().open(card.heap);
    if (!peer.ok()) {
      log(LogLevel::info, "rank {}'s memory can't be opened: {}", member, peer.reason());
      return false;
    }
    binding_.peers[at] = std::move(peer).value();
  }
  return true;
}

void Binder::watch_peers() const {
  const std::vector<int> world_ranks = world_ranks_of(comm_, binding_.size);
  for (std::size_t at = 0; at < binding_.peers.size(); ++at) {
    if (!binding_.peers[at]) continue;
    const MemberCard& card = binding_.cards[at];
    if (Deaths::instance().is_noticing() && world_ranks[at] != MPI_UNDEFINED) {
      remember_world_rank(card.process, world_ranks[at]);
    }
    Deaths::instance().add_peer(card.process, card.heap, binding_.peers[at]);
  }
}

bool Binder::agree_that(bool yes) {
  int mine = yes ? 1 : 0;
  int everybodys = 0;
  return PMPI_Allreduce(&mine, &everybodys, 1, MPI_INT, MPI_MIN, comm_) == MPI_SUCCESS &&
         everybodys == 1;
}

}  // namespace

bool Binding::is_on_own_node(int member) const {
  return card(member).location.host == card(rank).location.host;
}

std::size_t Binding::node_rank_count() const {
  int count = 0;
  for (int member = 0; member < size; ++member) count += is_on_own_node(member) ? 1 : 0;
  return static_cast<std::size_t>(count);
}

bool Binding::threads_may_call_mpi() const {
  return std::all_of(cards.begin(), cards.end(), [](const MemberCard& card) {
    return card.thread_level == MPI_THREAD_MULTIPLE;
  });
}

std::span<std::byte> Binding::heap_bytes(int member) const {
  return member == rank ? heap->bytes() : peers[static_cast<std::size_t>(member)]->bytes();
}

Outcome<Binding> bind(MPI_Comm comm, Process& process, const BlockRequest& block) {
  return Binder(comm, process, block).bind();
}

}  // namespace detour
