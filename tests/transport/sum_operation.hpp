// Operations for tests of transports: integer sums along flows, with data and results that are known.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "collectives/combiner.hpp"
#include "collectives/rank_flow.hpp"

namespace detour::test {

class Sums final : public Combiner {
 public:
  std::size_t element_bytes() const override { return sizeof(std::int64_t); }
  void combine(std::byte* result, std::span<const std::byte* const> inputs,
               std::size_t element_count) const override;
};

struct SumOperation {
  std::vector<RankFlow> flows;
  std::uint64_t element_count = 0;
  std::uint64_t chunk_elements = 1;
  std::uint32_t seed = 0;  // of the data

  std::size_t message_bytes_max() const { return chunk_elements * sizeof(std::int64_t); }
};

std::vector<std::int64_t> input_of(const SumOperation& operation, Rank rank);

// Nothing if the output is what the operation should leave at this rank, otherwise what is wrong. Where
// the flows leave nothing, anything will do.
std::optional<std::string> find_wrong_sum(const SumOperation& operation, Rank rank,
                                          std::int32_t rank_count,
                                          const std::vector<std::int64_t>& output);

struct OperationLimits {
  std::size_t operation_count = 0;
  std::uint64_t element_count_max = 3000;
};

// One after the other, of all kinds: allreduce along plans of several policies; allreduce, reduce and
// broadcast along trees. The same on all ranks. Most are small.
std::vector<SumOperation> random_operations(std::int32_t rank_count, const OperationLimits& limits,
                                            std::uint32_t seed);

}  // namespace detour::test
