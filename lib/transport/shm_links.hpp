// All queues of one rank to and from the other ranks of its node, in one communicator.
//
// They last as long as the communicator; the memory behind them comes with the operations that need it
// and goes when it is wanted elsewhere. One operation at a time uses them. Each method is for one
// thread at a time: who drives an operation.
#pragma once

#include <cstddef>
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

  // Sees to it that every outgoing link of the program to a member that shares memory has room for its
  // window of messages of so many bytes. To be called before an operation starts, and before the other
  // ranks hear of it. False if the arena has no room for that: then no new memory is held, and memory
  // that lay idle has been given back.
  bool prepare(const Program& program, std::size_t message_bytes_max);

  // For a communicator without an operation: gives back what lies idle.
  void give_back();
  // The rank is dead, and was agreed to be: what it has not received it never will. Nothing may be sent
  // to it any more.
  void drop_peer(Rank peer);

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
  bool try_to_prepare(const Program& program, std::size_t message_bytes_max);
  void give_back_idle();

  GuardedArena arena_;
  std::vector<std::optional<Ends>> ends_;  // by peer and lane
};

}  // namespace detour
