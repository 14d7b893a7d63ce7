// One rank of a node in tests of direct operations: over blocks that lie anywhere.
#pragma once

#include <span>
#include <vector>

#include "collectives/kernel_combiner.hpp"
#include "membership/shm_decision_store.hpp"
#include "operations/direct_operation.hpp"
#include "shm/waiter.hpp"

namespace detour {

struct PlainErrors final : OperationErrors {
  static constexpr int mismatch = 1, memory = 2, route = 3, lost = 4, out = 5;
  int disagreement(const CallVerdict&) const override { return mismatch; }
  int no_memory() const override { return memory; }
  int no_route(std::string_view) const override { return route; }
  int members_lost(std::span<const std::size_t>) const override { return lost; }
  int fenced() const override { return out; }
};

// Behind the block: the pipeline, as much room for results as there is, and memory for the program's data.
class FixedSlots final : public DirectMemory {
 public:
  FixedSlots(const MemberBlockLayout& layout, std::size_t results_bytes,
             std::span<const std::byte> heap)
      : pipeline_(layout.block_bytes()),
        results_{layout.block_bytes() + layout.pipeline_bytes(), results_bytes},
        heap_(heap) {}
  std::optional<std::uint64_t> pipeline(std::size_t) override { return pipeline_; }
  std::optional<std::uint64_t> pipeline_if_there() const override { return pipeline_; }
  Room results(std::size_t) override { return results_; }
  void all_have_entered() override {}
  std::uint64_t place_of(std::span<const std::byte> data) const override {
    return MemberBlock::place_in(heap_, data);
  }

 private:
  std::uint64_t pipeline_;
  Room results_;
  std::span<const std::byte> heap_;
};

class DirectRank {
 public:
  DirectRank(std::size_t rank, const std::vector<MemberBlock>& blocks,
             const std::vector<std::byte*>& decision_parts, const MemberBlockLayout& layout,
             std::size_t results_bytes, std::span<const std::byte> heap, WaitHooks hooks,
             Gathering::Node node)
      : board_(rank, blocks),
        decisions_(rank, decision_parts),
        view_(board_, decisions_),
        slots_(layout, results_bytes, heap),
        operation_(view_, layout, slots_, bells_, errors_, node),
        waiter_(WaitPolicy::for_load(blocks.size(), 2), std::move(hooks)) {}

  // Some see more ranks than cores where others don't.
  static Gathering::Node usual_node(std::size_t rank) {
    return rank % 3 == 0 ? Gathering::Node::roomy : Gathering::Node::crowded;
  }

  int run(const Call& call, const DirectWay& way = {}) {
    begin(call, way);
    return drive();
  }
  void begin(const Call& call, const DirectWay& way = {}) {
    operation_.begin(call, DirectOperation::Survives::yes, way);
  }
  // The short way of a sum, and how it goes on with a call from there.
  ShortSums& short_sums() { return operation_.short_sums(); }
  void take_over(const Call& call) {
    operation_.take_over(call, DirectOperation::Survives::yes, {});
  }
  // As far as it gets without waiting for anybody.
  Operation::Progress advance() {
    for (;;) {
      const auto progress = operation_.step();
      if (progress != Operation::Progress::moved) return progress;
    }
  }
  // 0 and less if it was told to stop.
  int drive() {
    for (;;) {
      const auto progress = operation_.step();
      if (progress == Operation::Progress::ended) return operation_.error();
      if (progress == Operation::Progress::moved) continue;
      const WaitList awaited = operation_.waits_for();
      const auto result = waiter_.wait_for_all(awaited);
      if (result == WaitResult::stopped) return -1;
    }
  }
  // As after a call that this rank can't go on with.
  bool abandon() { return operation_.abandon(PlainErrors::memory); }
  int error() const { return operation_.error(); }
  std::vector<std::size_t> readers() const { return operation_.readers(); }
  const MemberSet& contributors() const { return view_.members(); }

 private:
  CallBoard board_;
  ShmDecisionStore decisions_;
  View view_;
  FixedSlots slots_;
  Bells bells_;
  PlainErrors errors_;
  DirectOperation operation_;
  Waiter waiter_;
};

// An allreduce of so many bytes; the combiner has to live longer.
inline Call allreduce_call(const Combiner& combiner, const void* input, void* output,
                           std::size_t bytes) {
  Call call;
  call.header.kind = CallKind::allreduce;
  call.header.bytes = bytes;
  call.combiner = &combiner;
  call.input = static_cast<const std::byte*>(input);
  call.output = static_cast<std::byte*>(output);
  call.output_bytes = bytes;
  return call;
}

}  // namespace detour
