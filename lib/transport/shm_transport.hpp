// The queues in shared memory as one attempt at an operation sees them.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/transport.hpp"
#include "transport/shm_links.hpp"

namespace detour {

class ShmTransport final : public Transport {
 public:
  // The links have to outlive it, and were prepared for the program. Epochs never fall.
  ShmTransport(ShmLinks& links, const Program& program, std::uint64_t epoch);

  std::span<std::byte> reserve(Rank to, Lane lane, std::size_t bytes) override;
  void send(Rank to, Lane lane) override;
  std::span<const std::byte> peek(Rank from, Lane lane) override;
  void release(Rank from, Lane lane) override;
  // What was sent is in memory that outlives this rank.
  bool flushed() override { return true; }

 private:
  void drop_former_epochs();

  ShmLinks& links_;
  const std::uint64_t epoch_;
  // On which no message of this epoch has been seen yet. A link is a queue: once there has been one, no
  // older one follows. Until then what a given-up attempt left there takes up room that the program
  // counts on, maybe on a link that it will look at only when something else has happened.
  std::vector<ShmReceiver*> unseen_;
};

}  // namespace detour
