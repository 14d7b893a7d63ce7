// What combiners make out of kernels.
#include <cstring>
#include <vector>

#include "collectives/kernel_combiner.hpp"
#include "support/catch.hpp"

using namespace detour;

namespace {

std::vector<float> numbers(std::size_t count, float first) {
  std::vector<float> list(count);
  for (std::size_t at = 0; at < count; ++at) list[at] = first + static_cast<float>(at);
  return list;
}

const std::byte* bytes_of(const std::vector<float>& list) {
  return reinterpret_cast<const std::byte*>(list.data());
}
std::byte* bytes_of(std::vector<float>& list) {
  return reinterpret_cast<std::byte*>(list.data());
}

}  // namespace

TEST_CASE("combiner: twofold past the caches is the same twice, in as many blocks as it takes") {
  const KernelCombiner sum(ReduceOp::sum, ElementType::float32);
  for (const std::size_t count : {0u, 1u, 15u, 2047u, 2048u, 2049u, 10000u}) {
    const auto first = numbers(count, 1);
    const auto second = numbers(count, 0.5f);
    const std::vector inputs{bytes_of(first), bytes_of(second)};
    auto expected = numbers(count + 1, -1);
    auto result = expected;
    auto copy = expected;
    sum.combine(bytes_of(expected), inputs, count);
    sum.combine_twofold_past_caches(bytes_of(result), bytes_of(copy), inputs, count);
    CHECK(result == expected);
    CHECK(copy == expected);
  }
}
