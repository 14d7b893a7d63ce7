#include "transport/sum_operation.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

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

}  // namespace detour::test
