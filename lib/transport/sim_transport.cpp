#include "transport/sim_transport.hpp"

#include <stdexcept>
#include <utility>

namespace detour {

class SimTransport final : public Transport {
 public:
  SimTransport(SimNetwork& network, Rank rank) : network_(network), rank_(rank) {}

  std::span<std::byte> reserve(Rank to, Lane lane, std::size_t bytes) override {
    auto& queue = network_.queues_.at({rank_, to, lane});
    if (queue.messages.size() >= queue.window_count) return {};
    queue.reserved.resize(bytes);
    return queue.reserved;
  }

  void send(Rank to, Lane lane) override {
    auto& queue = network_.queues_.at({rank_, to, lane});
    queue.messages.push_back(std::exchange(queue.reserved, {}));
    ++network_.message_count_;
  }

  std::span<const std::byte> peek(Rank from, Lane lane) override {
    auto& queue = network_.queues_.at({from, rank_, lane});
    if (queue.arrived_count == 0) return {};
    return queue.messages.front();
  }

  void release(Rank from, Lane lane) override {
    auto& queue = network_.queues_.at({from, rank_, lane});
    if (queue.arrived_count == 0) throw std::logic_error("released a message that is not there");
    queue.messages.pop_front();
    --queue.arrived_count;
  }

  bool flushed() override { return true; }

 private:
  SimNetwork& network_;
  const Rank rank_;
};

std::unique_ptr<Transport> SimNetwork::connect(const Program& program) {
  for (const Link& link : program.outgoing) {
    queues_[{program.rank, link.peer, link.lane}].window_count = link.window_count;
  }
  return std::make_unique<SimTransport>(*this, program.rank);
}

bool SimNetwork::deliver_one() {
  std::vector<Queue*> pending;
  for (auto& [key, queue] : queues_) {
    if (queue.arrived_count < queue.messages.size()) pending.push_back(&queue);
  }
  if (pending.empty()) return false;
  ++pending[random_() % pending.size()]->arrived_count;
  return true;
}

}  // namespace detour
