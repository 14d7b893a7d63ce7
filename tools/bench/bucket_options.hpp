// What `detour bench --buckets` measures: a training step that hands over many gradient buckets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/number_type.hpp"
#include "bench/size_range.hpp"

namespace detour::tool {

struct BenchArguments;

struct BucketOptions {
  std::uint64_t count = 1;
  SizeBounds bounds;        // that sizes are drawn from, alike on all ranks
  bool may_shrink = false;  // nobody asked for these sizes
  std::uint64_t seed = 1;
  std::uint64_t compute_us = 0;  // before each bucket
};

// Throws BadInput.
BucketOptions understand_buckets(const BenchArguments& arguments, const NumberType& type);

struct BucketSizes {
  std::vector<std::uint64_t> bytes = {};
  std::uint64_t divisor = 1;  // of what was drawn
};

// Whole elements. If they may shrink, all of them are halved until they have no more than this together, or can't be
// halved any more.
BucketSizes choose_bucket_sizes(const BucketOptions& options, std::size_t element_bytes,
                                std::uint64_t total_bytes_max);

}  // namespace detour::tool
