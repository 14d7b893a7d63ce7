// One rank of a communicator: the library's objects, and what they need of a process.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "membership/shm_decision_store.hpp"
#include "operations/engine.hpp"
#include "sim/payload.hpp"
#include "sim/short_operation.hpp"
#include "sim/sim_links.hpp"
#include "sim/sim_process.hpp"

namespace detour::sim {

enum SimError { no_error, wrong_arguments, mismatch, no_memory, no_route, lost, fenced };
const char* to_text(int error);

struct SimErrors final : OperationErrors {
  int disagreement(const CallVerdict& verdict) const override {
    return verdict.header.error != 0 ? verdict.header.error : mismatch;
  }
  int no_memory() const override { return sim::no_memory; }
  int no_route(std::string_view) const override { return sim::no_route; }
  int members_lost(std::span<const std::size_t>) const override { return lost; }
  int fenced() const override { return sim::fenced; }
};

// Where a member's things are in its process's heap.
struct MemberPlace {
  std::size_t block_offset = 0;
  std::byte* table = nullptr;
  std::byte* decisions = nullptr;
};

// So small that little data comes to every limit.
struct SimSizes {
  MemberBlockLayout block{.small_bytes = 48,
                          .piece_bytes = 120,
                          .piece_bytes_min = 16,
                          .part_bytes_min = 16,
                          .read_in_place_bytes_min = 100,
                          .streamed_bytes_min = 128,
                          .streamed_in_place_bytes_min = 256,
                          .measured_write_bytes_min = 64};
  std::uint64_t chunk_bytes_max = 1024;
};

// What all members of a communicator have in common.
struct SimGroup {
  const CommunicatorPlan* plan = nullptr;
  SimSizes sizes;
  std::vector<SimProcess*> processes;  // by rank
  std::vector<MemberPlace> places;
};
// Of those processes that the plan, which has to live longer, like them, wants to be members.
SimGroup make_group(const CommunicatorPlan& plan, std::deque<SimProcess>& processes,
                    const SimSizes& sizes = {});

class PassingDecisions final : public DecisionStore {
 public:
  PassingDecisions(std::size_t rank, std::vector<std::byte*> parts, Fate& fate)
      : store_(rank, std::move(parts)), fate_(fate) {}
  MemberSet decide(std::uint64_t number, const MemberSet& proposal) override {
    fate_.pass_point();
    MemberSet decided = store_.decide(number, proposal);
    fate_.pass_point();
    return decided;
  }

 private:
  ShmDecisionStore store_;
  Fate& fate_;
};

class PassingCombiner final : public Combiner {
 public:
  PassingCombiner(const Combiner& combiner, Fate& fate) : combiner_(combiner), fate_(fate) {}
  std::size_t element_bytes() const override { return combiner_.element_bytes(); }
  void combine(std::byte* result, std::span<const std::byte* const> inputs,
               std::size_t element_count) const override {
    fate_.pass_point();
    combiner_.combine(result, inputs, element_count);
    fate_.pass_point();
  }

 private:
  const Combiner& combiner_;
  Fate& fate_;
};

class SimSlots final : public DirectMemory {
 public:
  SimSlots(SimProcess& process, Surroundings& surroundings, bool has_room_for_results)
      : process_(process),
        surroundings_(surroundings),
        has_room_for_results_(has_room_for_results) {}
  std::optional<std::uint64_t> pipeline(std::size_t bytes) override;
  std::optional<std::uint64_t> pipeline_if_there() const override {
    return pipeline_ ? std::optional<std::uint64_t>(pipeline_->offset) : std::nullopt;
  }
  bool room_comes_later() const override { return room_comes_later_; }
  Room results(std::size_t bytes) override;
  void all_have_entered() override;
  std::uint64_t place_of(std::span<const std::byte> data) const override;
  void set_failing(bool fails) { fails_ = fails; }

 private:
  SimProcess& process_;
  Surroundings& surroundings_;
  const bool has_room_for_results_;
  bool fails_ = false;
  bool room_comes_later_ = false;
  std::optional<HeapBlock> pipeline_;
  std::optional<HeapBlock> results_;
  std::optional<HeapBlock> retired_;
};

class SimMember {
 public:
  SimMember(Rank rank, const SimGroup& group, Surroundings& surroundings);

  Rank rank() const { return rank_; }
  const MemberBlock& block(Rank rank) const {
    return board_.members()[static_cast<std::size_t>(rank)];
  }
  // Takes no memory, if that is what is planned for this rank. Goes the short way if there is one, and for so many looks.
  Operation& begin(const CallPlan& plan, const Call& call, std::uint64_t short_look_count);
  Engine& engine() { return *engine_; }
  // Who may be reading memory of this rank's.
  std::vector<std::size_t> readers();
  const Combiner& combiner(bool is_commutative) const { return is_commutative ? sum_ : chain_; }

 private:
  const Rank rank_;
  const SimGroup& group_;
  SimProcess& process_;
  CallBoard board_;
  PassingDecisions decisions_;
  View view_;
  ShmLinks links_;
  SimSlots slots_;
  SimLinkSource link_source_;
  Bells bells_;
  SimErrors errors_;
  ElementSum plain_sum_;
  ElementChain plain_chain_;
  PassingCombiner sum_;
  PassingCombiner chain_;
  std::optional<Engine> engine_;
  std::optional<ShortOperation> short_operation_;  // the last one
};

}  // namespace detour::sim
