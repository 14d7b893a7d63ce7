// What is counted while operations are carried out. The tally has what can be counted from inside; callgrind, if it runs
// the program, counts instructions, and those among them that change memory atomically.
#pragma once

#include <cstdint>

#include "collectives/kernel_combiner.hpp"

namespace detour::counts {

// Of all ranks together.
struct Tally {
  std::uint64_t copied_bytes = 0;   // through the caches and past them
  std::uint64_t reduced_bytes = 0;  // that combiners have read
  std::uint64_t wait_count = 0;     // how often a rank could not go on without another one
  bool operator==(const Tally&) const = default;
};

// As long as it lives, all that this thread does is counted.
class Counting {
 public:
  explicit Counting(Tally& tally);
  ~Counting();
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;
};

// What callgrind has counted since the last time was this.
void name_what_was_counted(const char* name);

// The same instructions on every machine that has AVX2, which callgrind knows no more than.
class CountedSum final : public KernelCombiner {
 public:
  CountedSum() : KernelCombiner(ReduceOp::sum, ElementType::float32, Isa::avx2) {}
  void combine(std::byte* result, std::span<const std::byte* const> inputs,
               std::size_t element_count) const override;
  void combine_past_caches(std::byte* result, std::span<const std::byte* const> inputs,
                           std::size_t element_count) const override;
  void combine_twofold(std::byte* result, std::byte* copy, std::span<const std::byte* const> inputs,
                       std::size_t element_count) const override;
};

}  // namespace detour::counts
