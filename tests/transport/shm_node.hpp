// The ranks of one node for tests: heaps, tables and bells for all of them in one process. A rank may
// then be a thread, or a child process that inherits the mappings.
#pragma once

#include <chrono>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "shm/waiter.hpp"
#include "transport/shm_links.hpp"
#include "transport/shm_transport.hpp"
#include "transport/sum_operation.hpp"

namespace detour::test {

class ShmNode {
 public:
  ShmNode(std::int32_t rank_count, std::size_t heap_bytes);

  std::int32_t rank_count() const { return static_cast<std::int32_t>(heaps_.size()); }
  HeapArena& arena(Rank rank) { return arenas_[static_cast<std::size_t>(rank)]; }
  Counter& bell(Rank rank) { return *members_[static_cast<std::size_t>(rank)].bell; }
  const std::vector<ShmMember>& members() const { return members_; }
  GuardedArena guarded_arena(Rank rank) {
    return {arena(rank), mutexes_[static_cast<std::size_t>(rank)]};
  }

 private:
  std::deque<SharedHeap> heaps_;
  std::deque<HeapArena> arenas_;
  std::deque<std::mutex> mutexes_;
  std::vector<ShmMember> members_;
};

// One rank: its links, and operations over them.
class ShmRank {
 public:
  ShmRank(ShmNode& node, Rank rank)
      : node_(node), rank_(rank), links_(rank, node.members(), node.guarded_arena(rank)) {}

  ShmLinks& links() { return links_; }

  // In place, to the end. Nothing if all went well, otherwise what did not.
  std::optional<std::string> run(const SumOperation& operation, std::uint64_t epoch);
  // Takes so many turns at it and gives up.
  std::optional<std::string> begin(const SumOperation& operation, std::uint64_t epoch,
                                   std::uint32_t turn_count);

 private:
  ShmNode& node_;
  const Rank rank_;
  ShmLinks links_;
};

}  // namespace detour::test
