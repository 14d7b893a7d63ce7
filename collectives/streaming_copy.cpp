#include "collectives/streaming_copy.hpp"

#include "collectives/kernels.hpp"

namespace detour {

// A fused kernel copies a single input, whatever its operation.
void copy_past_caches(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  static const FusedKernel copy =
      find_fused_kernel(ReduceOp::bit_or, ElementType::byte, Stores::streaming);
  copy(to, &from, 1, bytes);
}

}  // namespace detour
