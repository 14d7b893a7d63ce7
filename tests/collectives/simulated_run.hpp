// Runs flows on all ranks of a simulated network, and a way to see what was combined with what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "collectives/executor.hpp"
#include "collectives/program.hpp"
#include "collectives/rank_flow.hpp"
#include "transport/sim_transport.hpp"

namespace detour::test {

// An element is a list of how often each rank's contribution is in it: sums of these show exactly
// what was combined with what.
class Census final : public Combiner {
 public:
  explicit Census(std::int32_t rank_count) : rank_count_(static_cast<std::size_t>(rank_count)) {}
  std::size_t element_bytes() const override { return rank_count_; }
  void combine(std::byte* result, std::span<const std::byte* const> inputs,
               std::size_t element_count) const override {
    for (std::size_t at = 0; at < element_count * rank_count_; ++at) {
      unsigned sum = 0;
      for (const std::byte* input : inputs) sum += std::to_integer<unsigned>(input[at]);
      result[at] = static_cast<std::byte>(sum);
    }
  }

  // So many elements with this rank's contribution, once.
  std::vector<std::byte> contribution(Rank rank, std::uint64_t element_count) const {
    std::vector<std::byte> data(element_count * rank_count_);
    for (std::uint64_t at = 0; at < element_count; ++at) {
      data[at * rank_count_ + static_cast<std::size_t>(rank)] = std::byte{1};
    }
    return data;
  }
  // So many elements with everybody's, once.
  std::vector<std::byte> total(std::uint64_t element_count) const {
    return std::vector<std::byte>(element_count * rank_count_, std::byte{1});
  }

 private:
  std::size_t rank_count_;
};

// True if all ranks finished, which are stepped, and their messages delivered, in an order that the seed
// decides.
inline bool run_all(std::vector<Executor>& executors, SimNetwork& network) {
  for (;;) {
    bool moved = false;
    bool finished = true;
    for (std::size_t count = executors.size(); count > 0; --count) {
      const auto at = network.random()() % executors.size();
      moved |= executors[at].step() == Executor::Progress::moved;
    }
    for (Executor& executor : executors) {
      const auto progress = executor.step();
      moved |= progress == Executor::Progress::moved;
      finished &= progress == Executor::Progress::finished;
    }
    if (finished) return true;
    for (auto count = network.random()() % 8; count > 0; --count) moved |= network.deliver_one();
    if (!moved && !network.deliver_one()) return false;
  }
}

// Buffers by rank.
inline bool run_flows(const std::vector<RankFlow>& flows, const Combiner& combiner,
                      const std::vector<Buffers>& buffers, std::uint64_t chunk_elements,
                      std::uint32_t seed) {
  const auto rank_count = static_cast<std::int32_t>(buffers.size());
  SimNetwork network(seed);
  std::vector<Program> programs;
  std::vector<std::unique_ptr<Transport>> transports;
  std::vector<Executor> executors;
  for (Rank rank = 0; rank < rank_count; ++rank) {
    programs.push_back(make_program(flows, rank, rank_count, chunk_elements));
  }
  for (const Program& program : programs) transports.push_back(network.connect(program));
  for (std::size_t at = 0; at < buffers.size(); ++at) {
    executors.emplace_back(programs[at], combiner, *transports[at], buffers[at]);
  }
  return run_all(executors, network);
}

}  // namespace detour::test
