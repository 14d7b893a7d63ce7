#include "sim/sim_member.hpp"

#include <array>

#include "placement/placement.hpp"
#include "selection/selection_table.hpp"

namespace detour::sim {
namespace {

const SelectionTable& table() {
  static const SelectionTable built_in = SelectionTable::built_in();
  return built_in;
}

MemberPlace make_place(SimProcess& process, std::size_t member_count,
                       const MemberBlockLayout& layout) {
  std::byte* const heap = process.heap().data();
  MemberPlace place;
  place.block_offset = process.allocate(layout.block_bytes()).value().offset;
  place.table = heap + process.allocate(LinkTable::bytes(member_count)).value().offset;
  place.decisions =
      heap + process.allocate(ShmDecisionStore::part_bytes(member_count)).value().offset;
  MemberBlock(heap, place.block_offset, layout).create();
  LinkTable::create_at(place.table, member_count);
  ShmDecisionStore::create_at(place.decisions, member_count);
  return place;
}

std::vector<MemberBlock> blocks_of(const SimGroup& group) {
  std::vector<MemberBlock> blocks;
  for (std::size_t rank = 0; rank < group.processes.size(); ++rank) {
    blocks.emplace_back(group.processes[rank]->heap().data(), group.places[rank].block_offset,
                        group.sizes.block);
  }
  return blocks;
}

std::vector<std::byte*> decision_parts(const SimGroup& group) {
  std::vector<std::byte*> parts;
  for (const MemberPlace& place : group.places) parts.push_back(place.decisions);
  return parts;
}

std::vector<ShmMember> shm_members(const SimGroup& group) {
  std::vector<ShmMember> members;
  for (std::size_t rank = 0; rank < group.processes.size(); ++rank) {
    SimProcess& process = *group.processes[rank];
    members.push_back({group.places[rank].table, process.heap(), &process.bell()});
  }
  return members;
}

std::vector<Counter*> bells_of_others(const SimGroup& group, Rank own) {
  std::vector<Counter*> bells;
  for (SimProcess* process : group.processes) bells.push_back(&process->bell());
  bells[static_cast<std::size_t>(own)] = nullptr;
  return bells;
}

RouteBook make_book(Rank rank, const SimGroup& group) {
  Settings settings;
  settings.policy = group.plan->policy;
  settings.chunk_bytes = group.plan->chunk_bytes;
  const std::vector<RankLocation> locations(group.processes.size());
  return {rank, place_ranks(locations, settings).value(), settings, table(),
          group.sizes.chunk_bytes_max};
}

}  // namespace

const char* to_text(int error) {
  static constexpr std::array texts{"done", "wrong arguments", "mismatch", "no memory", "no route",
                                    "lost", "fenced"};
  return texts[static_cast<std::size_t>(error)];
}

SimGroup make_group(const CommunicatorPlan& plan, std::deque<SimProcess>& processes,
                    const SimSizes& sizes) {
  SimGroup group{.plan = &plan, .sizes = sizes, .processes = {}, .places = {}};
  for (const int process : plan.processes) {
    SimProcess& of_rank = processes[static_cast<std::size_t>(process)];
    group.processes.push_back(&of_rank);
    group.places.push_back(make_place(of_rank, plan.processes.size(), sizes.block));
  }
  return group;
}

std::optional<std::uint64_t> SimSlots::pipeline(std::size_t bytes) {
  process_.fate().pass_point();
  room_comes_later_ = surroundings_.room_is_late();
  if (fails_ || room_comes_later_) return std::nullopt;
  if (!pipeline_) pipeline_ = process_.allocate(bytes);
  return pipeline_.value().offset;
}

DirectMemory::Room SimSlots::results(std::size_t bytes) {
  process_.fate().pass_point();
  if (!has_room_for_results_) return {};
  if (!results_ || results_->bytes < bytes) {
    retired_ = results_;
    results_ = process_.allocate(bytes);
  }
  return {results_.value().offset, results_->bytes};
}

// Whoever still reads there reads what was written over.
void SimSlots::all_have_entered() {
  process_.fate().pass_point();
  if (!retired_) return;
  process_.arena().free(retired_->offset);
  retired_.reset();
}

std::uint64_t SimSlots::place_of(std::span<const std::byte> data) const {
  return MemberBlock::place_in(process_.heap(), data);
}

SimMember::SimMember(Rank rank, const SimGroup& group, Surroundings& surroundings)
    : rank_(rank),
      group_(group),
      process_(*group.processes[static_cast<std::size_t>(rank)]),
      board_(static_cast<std::size_t>(rank), blocks_of(group)),
      decisions_(static_cast<std::size_t>(rank), decision_parts(group), process_.fate()),
      view_(board_, decisions_),
      links_(rank, shm_members(group), {process_.arena(), process_.arena_mutex()}),
      slots_(process_, surroundings, group.plan->has_room_for_results),
      link_source_(links_, no_memory, surroundings, process_, group.processes),
      bells_(bells_of_others(group, rank)),
      sum_(plain_sum_, process_.fate()),
      chain_(plain_chain_, process_.fate()) {
  engine_.emplace(group.processes.size(),
                  Engine::Means{.view = &view_,
                                .memory = &slots_,
                                .layout = group.sizes.block,
                                .links = link_source_,
                                .bells = bells_,
                                .errors = errors_,
                                .node = group.plan->is_crowded ? DirectOperation::Node::crowded
                                                               : DirectOperation::Node::roomy},
                  make_book(rank, group));
}

std::vector<std::size_t> SimMember::readers() {
  std::vector<std::size_t> readers = engine_->readers();
  for (const Rank rank : links_.give_back().readers)
    readers.push_back(static_cast<std::size_t>(rank));
  return readers;
}

Operation& SimMember::begin(const CallPlan& plan, const Call& call,
                            std::uint64_t short_look_count) {
  const bool is_poor = plan.poor_rank == rank_;
  slots_.set_failing(is_poor);
  link_source_.fail_at(is_poor ? plan.poor_attempt : 0);
  ShortSums* const sums = short_look_count > 0 ? ShortOperation::way_of(call, *engine_) : nullptr;
  if (sums != nullptr) {
    short_operation_.emplace(*engine_, *sums, call, short_look_count - 1);
    if (short_operation_->begin()) return *short_operation_;
  }
  return engine_->begin(call);
}

}  // namespace detour::sim
