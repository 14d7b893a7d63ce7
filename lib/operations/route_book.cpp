#include "operations/route_book.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "collectives/derived_flows.hpp"
#include "collectives/renumbering.hpp"
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
      chunk_bytes_max_(chunk_bytes_max),
      living_{{}, placement_.cells, placement_.holes} {
  living_.ranks.resize(placement_.cell_of_rank.size());
  std::iota(living_.ranks.begin(), living_.ranks.end(), Rank{0});
}

void RouteBook::set_living(const std::vector<std::size_t>& ranks) {
  if (ranks.size() == living_.ranks.size()) return;
  entries_.clear();
  last_choice_.reset();
  std::vector<std::vector<Rank>> ranks_of_cell(
      static_cast<std::size_t>(placement_.mesh.cell_count()));
  living_.ranks.clear();
  for (const std::size_t rank : ranks) {
    const auto cell = static_cast<std::size_t>(placement_.cell_of_rank[rank]);
    ranks_of_cell[cell].push_back(static_cast<Rank>(living_.ranks.size()));
    living_.ranks.push_back(static_cast<Rank>(rank));
  }
  living_.holes = FaultSet(placement_.mesh);
  for (std::size_t cell = 0; cell < ranks_of_cell.size(); ++cell) {
    if (ranks_of_cell[cell].empty()) living_.holes.fail(static_cast<CellId>(cell));
  }
  living_.cells = CellMap(std::move(ranks_of_cell));
}

Rank RouteBook::number_of(Rank rank) const {
  if (rank == no_rank) return no_rank;
  const auto found = std::lower_bound(living_.ranks.begin(), living_.ranks.end(), rank);
  return static_cast<Rank>(found - living_.ranks.begin());
}

bool RouteBook::anybody_is_missing() const {
  return living_.ranks.size() < placement_.cell_of_rank.size();
}

Outcome<RouteRef> RouteBook::route(const Call& call, Rank root) {
  Key key{call.header.kind, root, call.header.bytes / call.combiner->element_bytes(),
          call.combiner->element_bytes(), call.block_counts};
  return find_or_make(std::move(key));
}

RouteBook::DirectChoice RouteBook::choose(std::uint64_t bytes) const {
  Selection selection = select(CallKind::allreduce, bytes);
  const std::string& policy = selection.policies.front();
  const bool prefers_direct = policy == "direct" || policy == "auto";
  if (prefers_direct) {
    log(LogLevel::debug, "{} bytes: policy direct, straight from shared memory", bytes);
  }
  // What is done directly in spite of another policy's being asked for is done as if there were none.
  if (settings_.policy) {
    Settings settings = settings_;
    settings.policy.reset();
    selection = table_.select(situation(CallKind::allreduce, bytes), settings);
  }
  return {bytes, prefers_direct, {selection.chunk_bytes, selection.stores}};
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

Situation RouteBook::situation(CallKind kind, std::uint64_t bytes) const {
  return {.operation = table_kind(kind),
          .nodes = placement_.node_count == 1 ? NodeLayout::one : NodeLayout::many,
          .rank_count = static_cast<std::int32_t>(living_.ranks.size()),
          .bytes = bytes};
}

Outcome<RouteRef> RouteBook::make_route(const Key& key) const {
  const std::uint64_t payload_bytes = key.element_count * key.element_bytes;
  Selection selection = select(key.kind, payload_bytes);
  // Whatever was asked for, an operation is not given up for lack of a way round holes.
  if (anybody_is_missing()) selection.policies.emplace_back("direct");
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
  const Topology topology(placement_.mesh, living_.holes, connectivity,
                          settings_.bridges.value_or(true));
  return found->plan(topology, {.bytes = payload_bytes, .machine = {}, .tree_count_max = {}});
}

Outcome<RouteRef> RouteBook::lay_out(const Key& key, const Plan& plan, const std::string& policy,
                                     std::uint64_t chunk_bytes) const {
  auto flows = flows_for(key, plan);
  const auto rank_count = living_.cells.rank_count();
  const auto counts = living_counts(key);
  const std::uint64_t element_count =
      counts.empty() ? key.element_count
                     : std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  if (auto defect = find_flow_defect(flows, rank_count, element_count)) {
    return Failure{"policy " + policy + ": " + *defect};
  }
  restore_places(key, flows);
  const std::uint64_t chunk_elements =
      std::clamp<std::uint64_t>(std::min(chunk_bytes, chunk_bytes_max_) / key.element_bytes, 1,
                                std::max<std::uint64_t>(element_count, 1));
  auto route = std::make_shared<Route>();
  route->policy = policy;
  route->program = make_program(flows, number_of(rank_), rank_count, chunk_elements);
  renumber(route->program, living_.ranks);
  route->message_bytes_max = std::min(chunk_elements, key.element_count) * key.element_bytes;
  widen(route->program.outgoing, settings_.window_count);
  widen(route->program.incoming, settings_.window_count);
  log(LogLevel::debug, "{} elements of {} bytes: policy {} on a {}x{} mesh, chunks of {} elements",
      key.element_count, key.element_bytes, policy, placement_.mesh.rows(), placement_.mesh.cols(),
      chunk_elements);
  return RouteRef(std::move(route));
}

std::vector<RankFlow> RouteBook::flows_for(const Key& key, const Plan& plan) const {
  const CellMap& cells = living_.cells;
  const Rank root = number_of(key.root);
  switch (key.kind) {
    case CallKind::reduce:
      return reduce_flows(expand_plan(plan, cells, key.element_count), root);
    case CallKind::broadcast:
      return broadcast_flows(expand_plan(plan, cells, key.element_count), root);
    case CallKind::allgather:
      return allgather_flows(all_trees(plan, cells), living_counts(key));
    case CallKind::reduce_scatter:
      return reduce_scatter_flows(all_trees(plan, cells), living_counts(key));
    case CallKind::allreduce:
    case CallKind::nonblocking_allreduce:
    case CallKind::barrier:
      break;
  }
  return expand_plan(plan, cells, key.element_count);
}

// Nobody has, or wants, the blocks of the dead.
std::vector<std::uint64_t> RouteBook::living_counts(const Key& key) const {
  std::vector<std::uint64_t> counts;
  if (key.block_counts.empty()) return counts;
  for (const Rank rank : living_.ranks) {
    counts.push_back(key.block_counts[static_cast<std::size_t>(rank)]);
  }
  return counts;
}

// Blocks stay where they are in the payload, whoever is missing before them. There is one flow for each that is not
// empty, in their order.
void RouteBook::restore_places(const Key& key, std::vector<RankFlow>& flows) const {
  if (key.block_counts.empty() || !anybody_is_missing()) return;
  std::uint64_t first = 0;
  std::size_t flow = 0;
  std::size_t number = 0;
  for (std::size_t rank = 0; rank < key.block_counts.size(); ++rank) {
    const std::uint64_t count = key.block_counts[rank];
    const bool lives =
        number < living_.ranks.size() && living_.ranks[number] == static_cast<Rank>(rank);
    if (lives) ++number;
    if (lives && count > 0) flows[flow++].elements.first = first;
    first += count;
  }
}

}  // namespace detour
