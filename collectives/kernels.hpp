// Kernels: the loops that combine arrays of elements.
//
// There is one set for each level of the processor's instructions, and all levels give the same
// bits: nothing is reassociated, nothing is contracted to a fused multiply-add. So ranks on
// different machines agree.
//
// What they compute:
// - Integers wrap round.
// - float16 and bfloat16 are widened to float32, combined, and rounded to nearest, ties to even.
// - Minimum is `a < b ? a : b`, maximum `a > b ? a : b`, as in Open MPI: if one of the two is NaN,
//   or both are zeros of different sign, the result is b. Sums and products of a NaN are NaN.
// - Complex products are (ac - bd, ad + bc), without C's recovery of infinities, as in Fortran.
// - Locations: the smaller index where values are equal; b where one of the values is NaN.
// - Logical results are 0 and 1; everything but 0 counts as true.
// - Padding in results is zero, so that results may be compared as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "collectives/element_type.hpp"
#include "collectives/reduce_op.hpp"

namespace detour {

// result[i] = a[i] op b[i]. The result may be a or b; it must not overlap them in part. Buffers may
// have any alignment.
using Kernel = void (*)(std::byte* result, const std::byte* a, const std::byte* b,
                        std::size_t count) noexcept;

// result[i] = ((inputs[0][i] op inputs[1][i]) op inputs[2][i]) ..., in one pass over memory: the
// same bits as one Kernel call after the other. The result may be one of the inputs. A single input
// is copied; without inputs nothing is written.
using FusedKernel = void (*)(std::byte* result, const std::byte* const* inputs,
                             std::size_t input_count, std::size_t count) noexcept;

// The same with the result stored in two places: `result` stays in the caches, to be read from there soon, and
// `copy`, which may be one of the inputs too, is written past them.
using TwofoldKernel = void (*)(std::byte* result, std::byte* copy, const std::byte* const* inputs,
                               std::size_t input_count, std::size_t count) noexcept;

// Streaming stores go past the caches. They save a third of the memory traffic of a sum of two
// whose result is too large to be found in the cache later, and cost time where it would be found.
enum class Stores : std::uint8_t { cached, streaming };

// Each level contains those before it. Baseline is what every processor of the architecture has:
// SSE2 on x86-64.
enum class Isa : std::uint8_t { baseline, avx2, avx512 };

// The highest level that both the processor and the operating system support.
Isa isa_in_use() noexcept;

std::string_view name(Isa isa) noexcept;

// nullptr where MPI does not define the operation for the type.
Kernel find_kernel(ReduceOp op, ElementType type, Stores stores = Stores::cached) noexcept;
FusedKernel find_fused_kernel(ReduceOp op, ElementType type,
                              Stores stores = Stores::cached) noexcept;
TwofoldKernel find_twofold_kernel(ReduceOp op, ElementType type) noexcept;

// The same at a given level; nullptr also where this machine does not have it.
Kernel find_kernel(ReduceOp op, ElementType type, Isa isa, Stores stores = Stores::cached) noexcept;
FusedKernel find_fused_kernel(ReduceOp op, ElementType type, Isa isa,
                              Stores stores = Stores::cached) noexcept;
TwofoldKernel find_twofold_kernel(ReduceOp op, ElementType type, Isa isa) noexcept;

}  // namespace detour
