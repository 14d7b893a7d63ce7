#include "collectives/kernels.hpp"

#include "kernels/kernel_set.hpp"

namespace detour {
namespace {

using kernels::KernelSet;

#if defined(DETOUR_KERNELS_X86)
Isa detect() {
  // These ask the operating system too: it must save the wide registers.
  __builtin_cpu_init();
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  if (!has_avx2) return Isa::baseline;
  return has_avx512 ? Isa::avx512 : Isa::avx2;
}

KernelSet find_at(ReduceOp op, ElementType type, Isa isa) {
  switch (isa) {
    case Isa::baseline:
      return kernels::baseline::find(op, type);
    case Isa::avx2:
      return kernels::avx2::find(op, type);
    case Isa::avx512:
      return kernels::avx512::find(op, type);
  }
  return {};
}
#else
Isa detect() {
  return Isa::baseline;
}

KernelSet find_at(ReduceOp op, ElementType type, Isa) {
  return kernels::baseline::find(op, type);
}
#endif

KernelSet find_set(ReduceOp op, ElementType type, Isa isa) {
  if (!is_defined(op, type) || isa > isa_in_use()) return {};
  return kernels::is_scalar(type) ? kernels::find_scalar(op, type) : find_at(op, type, isa);
}

}  // namespace

Isa isa_in_use() noexcept {
  static const Isa found = detect();
  return found;
}

std::string_view name(Isa isa) noexcept {
  switch (isa) {
    case Isa::baseline:
      return "baseline";
    case Isa::avx2:
      return "avx2";
    case Isa::avx512:
      return "avx512";
  }
  return "";
}

Kernel find_kernel(ReduceOp op, ElementType type, Stores stores) noexcept {
  return find_kernel(op, type, isa_in_use(), stores);
}

FusedKernel find_fused_kernel(ReduceOp op, ElementType type, Stores stores) noexcept {
  return find_fused_kernel(op, type, isa_in_use(), stores);
}

Kernel find_kernel(ReduceOp op, ElementType type, Isa isa, Stores stores) noexcept {
  const KernelSet found = find_set(op, type, isa);
  return stores == Stores::streaming ? found.streaming : found.cached;
}

FusedKernel find_fused_kernel(ReduceOp op, ElementType type, Isa isa, Stores stores) noexcept {
  const KernelSet found = find_set(op, type, isa);
  return stores == Stores::streaming ? found.fused_streaming : found.fused_cached;
}

TwofoldKernel find_twofold_kernel(ReduceOp op, ElementType type) noexcept {
  return find_twofold_kernel(op, type, isa_in_use());
}

TwofoldKernel find_twofold_kernel(ReduceOp op, ElementType type, Isa isa) noexcept {
  return find_set(op, type, isa).fused_twofold;
}

}  // namespace detour
