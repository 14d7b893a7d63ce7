// The queues in shared memory as one attempt at an operation sees them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collectives/transport.hpp"
#include "transport/shm_links.hpp"

namespace detour {

class ShmTransport final : public Transport {
 public:
  // The links have to outlive it. Claims all memory that the operation needs, until it is destroyed: look
  // at has_room() before the other ranks are told to start.
  //
  // Epochs rise from operation to operation, and the methods below are called only when the ones before
  // have ended here or were given up: whatever is older is dropped then, and not before.
  ShmTransport(ShmLinks& links, const Program& program, std::size_t message_bytes_max,
               std::uint64_t epoch);
  ~ShmTransport() override;
  ShmTransport(const ShmTransport&) = delete;
  ShmTransport& operator=(const ShmTransport&) = delete;

  // False if there was no memory. Then nothing can be sent.
  bool has_room() const { return claim_.has_value(); }

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
  const std::optional<ShmLinks::ClaimId> claim_;
  // On which no message of this epoch has been seen yet. A link is a queue: once there has been one, no
  // older one follows. Until then what a given-up attempt left there takes up room that the program
  // counts on, maybe on a link that it will look at only when something else has happened.
  std::vector<ShmReceiver*> unseen_;
};

}  // namespace detour
