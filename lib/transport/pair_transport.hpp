// Chooses between two transports, peer by peer: shared memory for those on the same node, MPI for others.
#pragma once

#include <utility>
#include <vector>

#include "collectives/transport.hpp"

namespace detour {

class PairTransport final : public Transport {
 public:
  // Both have to outlive it. `is_near` by rank: whether the near one leads there.
  PairTransport(Transport& near, Transport& far, std::vector<bool> is_near)
      : near_(near), far_(far), is_near_(std::move(is_near)) {}

  std::span<std::byte> reserve(Rank to, Lane lane, std::size_t bytes) override;
  void send(Rank to, Lane lane) override;
  std::span<const std::byte> peek(Rank from, Lane lane) override;
  void release(Rank from, Lane lane) override;
  bool flushed() override;

 private:
  Transport& way_to(Rank peer) { return is_near_[static_cast<std::size_t>(peer)] ? near_ : far_; }

  Transport& near_;
  Transport& far_;
  const std::vector<bool> is_near_;
};

}  // namespace detour
