#include "core/route_book.hpp"

#include <algorithm>
#include <utility>

#include "collectives/derived_flows.hpp"
#include "detour/routing/registry.hpp"
#include "log.hpp"

namespace detour {
namespace {

// The trees of a nonblocking operation are those of the blocking one.
CallKind table_kind(CallKind kind) {
  return kind == CallKind::nonblocking_allreduce ? CallKind::allreduce : kind;
}

void widen(std::vector<Link>& links, std::uint32_t window_count) {
  for (Link& link : links) link.window_count = std::max(link.window_count, window_count);
}

}  // namespace

RouteBook::RouteBook(Rank rank, Placement placement, Settings settings, const SelectionTable& table,
                     std::uint64_t chunk_bytes_max)
    : rank_(rank),
      placement_(std::move(placement)),
      settings_(std::move(settings)),
      table_(table),
      chunk_bytes_max_(chunk_bytes_max) {}

Outcome<RouteRef> RouteBook::route(const Call& call) {
  Key key{call.header.kind, call.header.root, call.header.bytes / call.combiner->element_bytes(),
          call.combiner->element_bytes(), call.block_counts};
  return find_or_make(std::move(key));
}

bool RouteBook::prefers_direct(CallKind kind, std::uint64_t bytes) {
  if (last_preference_.kind != kind || last_preference_.bytes != bytes) {
    const std::string policy = select(kind, bytes).policies.front();
    last_preference_ = {kind, bytes, policy == "direct" || policy == "auto"};
    if (last_preference_.direct) {
      log(LogLevel::debug, "{} bytes: policy direct, straight from shared memory", bytes);
    }
  }
  return last_preference_.direct;
}

Outcome<RouteRef> RouteBook::small_route(std::size_t element_bytes) {
  return find_or_make({CallKind::allreduce, no_rank, 1, element_bytes, {}});
}

Outcome<RouteRef> RouteBook::find_or_make(Key key) {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  if (found != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, found);
    return entries_.front().route;
  }
  auto made = make_route(key);
  if (!made.ok()) return made;
  entries_.push_front({std::move(key), made.value()});
  if (entries_.size() > kept_count) entries_.pop_back();
  return made;
}

Selection RouteBook::select(CallKind kind, std::uint64_t bytes) const {
  const Situation situation{
      .operation = table_kind(kind),
      .nodes = placement_.node_count == 1 ? NodeLayout::one : NodeLayout::many,
      .rank_count = placement_.cells.rank_count(),
      .bytes = bytes};
  return table_.select(situation, settings_);
}

Outcome<RouteRef> RouteBook::make_route(const Key& key) const {
  const std::uint64_t payload_bytes = key.element_count * key.element_bytes;
  const Selection selection = select(key.kind, payload_bytes);
  for (const std::string& policy : selection.policies) {
    const auto plan = plan_by(policy, payload_bytes);
    if (!plan.ok()) {
      log(LogLevel::info, "policy {} has no plan for {} bytes: {}", policy, payload_bytes,
          plan.reason());
      continue;
    }
    return lay_out(key, plan.value(), policy, selection.chunk_bytes);
  }
  return Failure{"no policy has a plan"};
}

Outcome<Plan> RouteBook::plan_by(const std::string& policy, std::uint64_t payload_bytes) const {
  const Policy* const found = PolicyRegistry::instance().find(policy);
  if (found == nullptr) return Refusal{"there is no such policy"};
  // Ranks reach each other directly in any case; a mesh is what one asks for with a mesh policy.
  const auto connectivity = policy == "direct" ? Connectivity::complete : Connectivity::mesh;
  const Topology topology(placement_.mesh, placement_.holes, connectivity,
                          settings_.bridges.value_or(true));
  return found->plan(topology, {.bytes = payload_bytes, .machine = {}, .tree_count_max = {}});
}

Outcome<RouteRef> RouteBook::lay_out(const Key& key, const Plan& plan, const std::string& policy,
                                     std::uint64_t chunk_bytes) const {
  const auto flows = flows_for(key, plan);
  const auto rank_count = placement_.cells.rank_count();
  if (auto defect = find_flow_defect(flows, rank_count, key.element_count)) {
    return Failure{"policy " + policy + ": " + *defect};
  }
  const std::uint64_t chunk_elements =
      std::max<std::uint64_t>(std::min(chunk_bytes, chunk_bytes_max_) / key.element_bytes, 1);
  auto route = std::make_shared<Route>();
  route->policy = policy;
  route->program = make_program(flows, rank_, rank_count, chunk_elements);
  route->message_bytes_max = std::min(chunk_elements, key.element_count) * key.element_bytes;
  widen(route->program.outgoing, settings_.window_count);
  widen(route->program.incoming, settings_.window_count);
  log(LogLevel::debug, "{} elements of {} bytes: policy {} on a {}x{} mesh, chunks of {} elements",
      key.element_count, key.element_bytes, policy, placement_.mesh.rows(), placement_.mesh.cols(),
      chunk_elements);
  return RouteRef(std::move(route));
}

std::vector<RankFlow> RouteBook::flows_for(const Key& key, const Plan& plan) const {
  const CellMap& cells = placement_.cells;
  switch (key.kind) {
    case CallKind::reduce:
      return reduce_flows(expand_plan(plan, cells, key.element_count), key.root);
    case CallKind::broadcast:
      return broadcast_flows(expand_plan(plan, cells, key.element_count), key.root);
    case CallKind::allgather:
      return allgather_flows(all_trees(plan, cells), key.block_counts);
    case CallKind::reduce_scatter:
      return reduce_scatter_flows(all_trees(plan, cells), key.block_counts);
    case CallKind::allreduce:
    case CallKind::nonblocking_allreduce:
    case CallKind::barrier:
      break;
  }
  return expand_plan(plan, cells, key.element_count);
}

}  // namespace detour
