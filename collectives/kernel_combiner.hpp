// Combines elements with one of the library's own kernels.
#pragma once

#include "collectives/combiner.hpp"
#include "collectives/kernels.hpp"

namespace detour {

class KernelCombiner : public Combiner {
 public:
  // Only for operations that the type has.
  KernelCombiner(ReduceOp op, ElementType type)
      : kernel_(find_fused_kernel(op, type)), element_bytes_(detour::element_bytes(type)) {}

  std::size_t element_bytes() const override { return element_bytes_; }
  void combine(std::byte* result, std::span<const std::byte* const> inputs,
               std::size_t element_count) const override {
    kernel_(result, inputs.data(), inputs.size(), element_count);
  }

 private:
  FusedKernel kernel_;
  std::size_t element_bytes_;
};

// Where bytes are only moved.
class NoCombiner : public Combiner {
 public:
  std::size_t element_bytes() const override { return 1; }
  void combine(std::byte*, std::span<const std::byte* const>, std::size_t) const override {}
};

}  // namespace detour
