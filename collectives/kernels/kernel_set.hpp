// What one level offers for one operation on one type, and where to ask for it.
#pragma once

#include "collectives/kernels.hpp"

namespace detour::kernels {

struct KernelSet {
  Kernel cached = nullptr;
  Kernel streaming = nullptr;
  FusedKernel fused_cached = nullptr;
  FusedKernel fused_streaming = nullptr;
  TwofoldKernel fused_twofold = nullptr;
};

// Only for combinations that are defined. Types that vectors do nothing for have one set, whatever
// the level: x87 and software arithmetic, and pairs.
KernelSet find_scalar(ReduceOp op, ElementType type) noexcept;
bool is_scalar(ElementType type) noexcept;

namespace baseline {
KernelSet find(ReduceOp op, ElementType type) noexcept;
}
namespace avx2 {
KernelSet find(ReduceOp op, ElementType type) noexcept;
}
namespace avx512 {
KernelSet find(ReduceOp op, ElementType type) noexcept;
}

}  // namespace detour::kernels
