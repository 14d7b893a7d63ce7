#include "transport/sum_operation.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "detour/routing.hpp"
#include "support/meshes.hpp"

namespace detour::test {
namespace {

std::int64_t input_at(const SumOperation& operation, Rank rank, std::uint64_t at) {
  const std::uint64_t mixed =
      (at + 1) * 2654435761u + static_cast<std::uint64_t>(rank) * 40503u + operation.seed * 97u;
  return static_cast<std::int64_t>(mixed % 1000003) - 500000;
}

std::int64_t result_at(const SumOperation& operation, const RankFlow& flow, std::int32_t rank_count,
                       std::uint64_t at) {
  if (!flow.has_reduce) return input_at(operation, flow.root, at);
  std::int64_t sum = 0;
  for (Rank rank = 0; rank < rank_count; ++rank) sum += input_at(operation, rank, at);
  return sum;
}

enum class Direction { reduce, broadcast, both };

// A binary tree, over ranks in any order.
RankFlow random_tree(std::int32_t rank_count, std::uint64_t element_count, Direction direction,
                     std::mt19937& random) {
  std::vector<Rank> order(static_cast<std::size_t>(rank_count));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  RankFlow flow;
  flow.elements = {0, element_count};
  flow.root = order[0];
  flow.has_reduce = direction != Direction::broadcast;
  flow.has_broadcast = direction != Direction::reduce;
  for (std::size_t at = 1; at < order.size(); ++at) {
    const Rank parent = order[(at - 1) / 2];
    if (flow.has_reduce) flow.reduce.push_back({order[at], parent});
    if (flow.has_broadcast) flow.broadcast.push_back({parent, order[at]});
  }
  return flow;
}

std::vector<RankFlow> random_flows(std::int32_t rank_count, std::uint64_t element_count,
                                   std::mt19937& random) {
  const auto direction = static_cast<Direction>(random() % 3);
  const RankFlow tree = random_tree(rank_count, element_count, direction, random);
  const char* const names[] = {"direct", "trees", "tree", "ring"};
  const std::string name = names[random() % 4];
  if (random() % 2 == 0) return {tree};
  const std::size_t row_count = rank_count % 2 == 0 ? 2 : 1;
  const std::string row(static_cast<std::size_t>(rank_count) / row_count, '.');
  const Topology topology = drawn(std::vector<std::string>(row_count, row),
                                  name == "direct" ? Connectivity::complete : Connectivity::mesh);
  const auto plan = PolicyRegistry::instance().find(name)->plan(topology, {});
  if (!plan.ok()) return {tree};  // no ring passes through cells in a row
  return expand_plan(plan.value(), CellMap::one_rank_per_cell(topology), element_count);
}

}  // namespace

void Sums::combine(std::byte* result, std::span<const std::byte* const> inputs,
                   std::size_t element_count) const {
  for (std::size_t at = 0; at < element_count; ++at) {
    std::int64_t sum = 0;
    for (const std::byte* input : inputs) {
      std::int64_t value = 0;
      std::memcpy(&value, input + at * sizeof value, sizeof value);
      sum += value;
    }
    std::memcpy(result + at * sizeof sum, &sum, sizeof sum);
  }
}

std::vector<std::int64_t> input_of(const SumOperation& operation, Rank rank) {
  std::vector<std::int64_t> data(operation.element_count);
  for (std::uint64_t at = 0; at < data.size(); ++at) data[at] = input_at(operation, rank, at);
  return data;
}

std::optional<std::string> find_wrong_sum(const SumOperation& operation, Rank rank,
                                          std::int32_t rank_count,
                                          const std::vector<std::int64_t>& output) {
  for (const RankFlow& flow : operation.flows) {
    if (!flow.has_broadcast && rank != flow.root) continue;
    for (std::uint64_t at = flow.elements.first; at < flow.elements.end(); ++at) {
      const std::int64_t expected = result_at(operation, flow, rank_count, at);
      if (output[at] == expected) continue;
      return "rank " + std::to_string(rank) + ", element " + std::to_string(at) + " is " +
             std::to_string(output[at]) + " and not " + std::to_string(expected);
    }
  }
  return std::nullopt;
}

std::vector<SumOperation> random_operations(std::int32_t rank_count, const OperationLimits& limits,
                                            std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<SumOperation> operations;
  while (operations.size() < limits.operation_count) {
    SumOperation operation;
    operation.seed = static_cast<std::uint32_t>(random());
    operation.element_count = 1 + random() % (random() % 4 == 0 ? limits.element_count_max : 60);
    operation.chunk_elements = 1 + random() % (1 + operation.element_count / 3);
    operation.flows = random_flows(rank_count, operation.element_count, random);
    operations.push_back(std::move(operation));
  }
  return operations;
}

}  // namespace detour::test
