// Many ranks in one process and one thread: the ground for tests of everything above a transport.
//
// A message that was sent lies on its way until the network delivers it. Tests deliver in an order
// of their own, from a seed; within one queue the order is kept, as every transport promises.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

#include "collectives/transport.hpp"

namespace detour {

class SimNetwork {
 public:
  explicit SimNetwork(std::uint32_t seed) : random_(seed) {}

  // The queues of one rank, as wide as its program asks for.
  std::unique_ptr<Transport> connect(const Program& program);

  // Delivers one message, any of those that are next in their queue. False if none is on its way.
  bool deliver_one();

  std::mt19937& random() { return random_; }
  std::size_t message_count() const { return message_count_; }

 private:
  friend class SimTransport;

  struct Queue {
    std::size_t window_count = 0;
    std::size_t arrived_count = 0;  // of the messages in it, from the front
    std::deque<std::vector<std::byte>> messages;
    std::vector<std::byte> reserved;
  };
  using Key = std::tuple<Rank, Rank, Lane>;  // from, to

  std::map<Key, Queue> queues_;
  std::mt19937 random_;
  std::size_t message_count_ = 0;
};

}  // namespace detour
