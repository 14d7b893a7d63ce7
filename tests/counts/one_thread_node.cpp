#include "counts/one_thread_node.hpp"

#include <fmt/format.h>

#include <limits>
#include <numeric>
#include <stdexcept>

#include "node/block_layout.hpp"

namespace detour::counts {
namespace {

// More than any call here needs.
constexpr std::size_t heap_bytes = std::size_t{8} << 20;
constexpr std::uint64_t chunk_bytes_max = std::uint64_t{64} << 10;

const sim::CallPlan nothing_goes_wrong{};
// More than it takes for all to have come.
constexpr std::uint64_t short_look_count = 100;

sim::CommunicatorPlan make_plan(const OneThreadNode::Shape& shape) {
  sim::CommunicatorPlan plan;
  plan.processes.resize(static_cast<std::size_t>(shape.rank_count));
  std::iota(plan.processes.begin(), plan.processes.end(), 0);
  plan.policy = shape.policy;
  plan.is_crowded = shape.is_crowded;
  return plan;
}

// What is measured depends on more than the operation.
MemberBlockLayout unmeasured_layout() {
  MemberBlockLayout layout = block_layout;
  layout.measured_write_bytes_min = std::numeric_limits<std::size_t>::max();
  return layout;
}

}  // namespace

OneThreadNode::OneThreadNode(const Shape& shape) : plan_(make_plan(shape)) {
  surroundings_.is_crowded = false;
  for (const int process : plan_.processes) {
    heaps_.push_back(SharedHeap::create(heap_bytes).value());
    processes_.emplace_back(process, heaps_.back());
  }
  group_ = sim::make_group(plan_, processes_,
                           {.block = unmeasured_layout(), .chunk_bytes_max = chunk_bytes_max});
  for (Rank rank = 0; rank < shape.rank_count; ++rank) {
    if (rank == shape.dead_rank) continue;
    ranks_.push_back(rank);
    members_.push_back(std::make_unique<sim::SimMember>(rank, group_, surroundings_));
  }
  if (shape.dead_rank) seal(members_.front()->block(*shape.dead_rank));
}

std::byte* OneThreadNode::allocate(std::size_t position, std::size_t bytes) {
  sim::SimProcess& process = *group_.processes[static_cast<std::size_t>(ranks_[position])];
  return process.heap().data() + process.allocate(bytes).value().offset;
}

void OneThreadNode::run(const std::vector<Call>& calls, Tally* tally) {
  std::vector<Turn> turns;
  for (std::size_t at = 0; at < members_.size(); ++at) {
    turns.push_back({members_[at].get(), &calls[at]});
  }
  if (tally == nullptr) {
    take_turns(turns);
  } else {
    const Counting counting(*tally);
    tally->wait_count += take_turns(turns);
  }
  for (const Turn& turn : turns) {
    if (!turn.has_ended) throw std::runtime_error("ranks wait for each other");
    const int error = turn.operation->error();
    if (error != 0) throw std::runtime_error(fmt::format("it ends with: {}", sim::to_text(error)));
  }
}

std::uint64_t OneThreadNode::take_turns(std::vector<Turn>& turns) {
  std::uint64_t wait_count = 0;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (Turn& turn : turns) {
      if (turn.has_ended || !take(turn)) continue;
      goes_on = true;
      if (!turn.has_ended) ++wait_count;
    }
  }
  return wait_count;
}

bool OneThreadNode::take(Turn& turn) {
  bool has_moved = false;
  if (turn.operation == nullptr) {
    turn.operation = &turn.member->begin(nothing_goes_wrong, *turn.call, short_look_count);
    has_moved = true;
  }
  auto progress = turn.operation->step();
  for (; progress == Operation::Progress::moved; progress = turn.operation->step()) {
    has_moved = true;
  }
  turn.has_ended = progress == Operation::Progress::ended;
  return has_moved || turn.has_ended;
}

}  // namespace detour::counts
