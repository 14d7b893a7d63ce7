// The ranks of a node, all on one thread: in turn each does what it can do, in the same order whenever that is done. So what
// an operation costs depends on nothing but the code.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "counts/counting.hpp"
#include "sim/sim_member.hpp"

namespace detour::counts {

class OneThreadNode {
 public:
  struct Shape {
    int rank_count = 0;
    std::optional<std::string> policy{};  // none: straight from shared memory
    std::optional<Rank> dead_rank{};
    bool is_crowded = false;  // ranks share cores
  };
  explicit OneThreadNode(const Shape& shape);

  // Those who live.
  const std::vector<Rank>& ranks() const { return ranks_; }

  // Memory of the so many-th of those that all of them can read.
  std::byte* allocate(std::size_t position, std::size_t bytes);

  // Carries out a call of each of those, in their order, and counts what that takes if there is a tally. Throws if it does
  // not end, or ends with an error.
  void run(const std::vector<Call>& calls, Tally* tally = nullptr);

 private:
  struct Turn {
    sim::SimMember* member;
    const Call* call;
    Operation* operation = nullptr;
    bool has_ended = false;
  };
  // Gives the number of waits.
  static std::uint64_t take_turns(std::vector<Turn>& turns);
  // Whether it got any further.
  static bool take(Turn& turn);

  const sim::CommunicatorPlan plan_;
  sim::Surroundings surroundings_;
  std::deque<SharedHeap> heaps_;
  std::deque<sim::SimProcess> processes_;
  sim::SimGroup group_;
  std::vector<Rank> ranks_;
  std::vector<std::unique_ptr<sim::SimMember>> members_;  // of those who live
};

}  // namespace detour::counts
