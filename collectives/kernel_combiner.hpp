// Combines elements with one of the library's own kernels.
#pragma once

#include "collectives/combiner.hpp"
#include "collectives/kernels.hpp"

namespace detour {

// Only for operations that the type has, at levels that the machine has.
struct CombiningKernels {
  CombiningKernels(ReduceOp op, ElementType type, Isa isa = isa_in_use())
      : cached(find_fused_kernel(op, type, isa)),
        streaming(find_fused_kernel(op, type, isa, Stores::streaming)),
        twofold(find_twofold_kernel(op, type, isa)),
        element_bytes(detour::element_bytes(type)) {}

  FusedKernel cached;
  FusedKernel streaming;
  TwofoldKernel twofold;
  std::size_t element_bytes;
};

class KernelCombiner : public Combiner {
 public:
  KernelCombiner(ReduceOp op, ElementType type, Isa isa = isa_in_use())
      : KernelCombiner(CombiningKernels(op, type, isa)) {}
  explicit KernelCombiner(const CombiningKernels& kernels) : kernels_(kernels) {}

  [[gnu::hot]] std::size_t element_bytes() const override { return kernels_.element_bytes; }
  [[gnu::hot]] void combine(std::byte* result, std::span<const std::byte* const> inputs,
                            std::size_t element_count) const override {
    kernels_.cached(result, inputs.data(), inputs.size(), element_count);
  }
  void combine_past_caches(std::byte* result, std::span<const std::byte* const> inputs,
                           std::size_t element_count) const override {
    kernels_.streaming(result, inputs.data(), inputs.size(), element_count);
  }
  void combine_twofold(std::byte* result, std::byte* copy, std::span<const std::byte* const> inputs,
                       std::size_t element_count) const override {
    kernels_.twofold(result, copy, inputs.data(), inputs.size(), element_count);
  }

 private:
  CombiningKernels kernels_;
};

// Where bytes are only moved.
class NoCombiner : public Combiner {
 public:
  std::size_t element_bytes() const override { return 1; }
  void combine(std::byte*, std::span<const std::byte* const>, std::size_t) const override {}
};

}  // namespace detour
