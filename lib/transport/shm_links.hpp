// All queues of one rank to and from the other ranks of its node, in one communicator.
//
// They last as long as the communicator; the memory behind them comes with the operations that need it
// and goes when it is wanted elsewhere. Operations use them one after the other, but claim their
// memory early, before the other ranks hear of them: several claims may be there at once, and each link has
// room for any of them. Each method is for one thread at a time: who drives the operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "collectives/program.hpp"
#include "transport/shm_receiver.hpp"
#include "transport/shm_sender.hpp"

namespace detour {

// What a rank knows of a member of the communicator, itself too. No table: it shares no memory.
struct ShmMember {
  std::byte* table = nullptr;   // a LinkTable for all members, created by its owner
  std::span<std::byte> heap{};  // the bytes() of its heap: offsets count from there
  Counter* bell = nullptr;      // that whoever changes something for it rings
};

class ShmLinks {
 public:
  // Members by rank. The arena is that of this rank's own heap.
  ShmLinks(Rank rank, const std::vector<ShmMember>& members, const GuardedArena& arena);

  // Gives back all memory but that which a receiver has not done with. There is none if all members
  // have finished their operations; otherwise it, and the table, have to stay.
  ~ShmLinks();
  ShmLinks(const ShmLinks&) = delete;
  ShmLinks& operator=(const ShmLinks&) = delete;

  using ClaimId = std::uint64_t;

  // Sees to it that every outgoing link of the program to a member that shares memory has room for its
  // window of messages of so many bytes, until the claim ends. None if the arena has no room for that:
  // then nothing has changed, but that memory which lay idle has been given back.
  std::optional<ClaimId> claim(const Program& program, std::size_t message_bytes_max);
  void end_claim(ClaimId id);

  // Gives back what lies idle: drained, and claimed by nobody. Who may be reading what is not drained is told by the same
  // look: a reader that is through in the middle of this has either left memory that was given back, or is among them.
  struct GivenBack {
    bool any = false;
    std::vector<Rank> readers;
  };
  GivenBack give_back();
  // The rank is dead, and was agreed to be: what it has not received it never will. Nothing may be sent
  // to it any more.
  void drop_peer(Rank peer);
  // What has come in former epochs and was not received. Its senders' memory is free then.
  void drop_messages_before(std::uint64_t epoch);

  bool shares_memory_with(Rank peer) const { return ends_[index(peer, Lane::reduce)].has_value(); }
  // Whether all receivers have released everything.
  bool drained() const;

  ShmSender& sender(Rank to, Lane lane) { return ends_[index(to, lane)]->sender; }
  ShmReceiver& receiver(Rank from, Lane lane) { return ends_[index(from, lane)]->receiver; }

 private:
  struct Ends {
    ShmSender sender;
    ShmReceiver receiver;
  };

  static std::size_t index(Rank peer, Lane lane) {
    return static_cast<std::size_t>(peer) * LinkTable::lane_count + static_cast<std::size_t>(lane);
  }
  // The outgoing links of a program that this claim is about.
  struct Wish {
    std::size_t link;
    SlotShape shape;
  };
  struct Claim {
    ClaimId id;
    std::vector<Wish> wishes;
  };

  std::vector<Wish> wishes_of(const Program& program, std::size_t message_bytes_max) const;
  bool try_to_fulfil(const std::vector<Wish>& wishes);
  std::vector<SlotShape> claimed_shapes() const;
  GivenBack give_back_idle();

  GuardedArena arena_;
  std::vector<Claim> claims_;
  ClaimId next_claim_ = 0;
  std::vector<std::optional<Ends>> ends_;  // by peer and lane
};

}  // namespace detour
