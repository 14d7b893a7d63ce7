// The kernels of one level: this file is compiled once per level.
#include "arithmetic.hpp"
#include "complex_product.hpp"
#include "loops.hpp"
#include "narrow_floats.hpp"

namespace detour::kernels {
namespace {

template <class Unsigned, class Signed>
KernelSet find_integer(ReduceOp op, bool is_signed) {
  switch (op) {
    case ReduceOp::sum:
      return kernels_of<Sum<Unsigned>>();
    case ReduceOp::product:
      return kernels_of<Product<Unsigned>>();
    case ReduceOp::minimum:
      return is_signed ? kernels_of<Minimum<Signed>>() : kernels_of<Minimum<Unsigned>>();
    case ReduceOp::maximum:
      return is_signed ? kernels_of<Maximum<Signed>>() : kernels_of<Maximum<Unsigned>>();
    case ReduceOp::logical_and:
      return kernels_of<LogicalAnd<Unsigned>>();
    case ReduceOp::logical_or:
      return kernels_of<LogicalOr<Unsigned>>();
    case ReduceOp::logical_xor:
      return kernels_of<LogicalXor<Unsigned>>();
    case ReduceOp::bit_and:
      return kernels_of<BitAnd<Unsigned>>();
    case ReduceOp::bit_or:
      return kernels_of<BitOr<Unsigned>>();
    case ReduceOp::bit_xor:
      return kernels_of<BitXor<Unsigned>>();
    default:
      return {};
  }
}

// `On<Operation>` is the operation on numbers of one format.
template <template <template <class> class> class On>
KernelSet find_floating(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum:
      return kernels_of<On<Sum>>();
    case ReduceOp::product:
      return kernels_of<On<Product>>();
    case ReduceOp::minimum:
      return kernels_of<On<Minimum>>();
    case ReduceOp::maximum:
      return kernels_of<On<Maximum>>();
    default:
      return {};
  }
}

template <template <class> class Operation>
using OnFloat32 = Operation<float>;
template <template <class> class Operation>
using OnFloat64 = Operation<double>;

template <class T>
KernelSet find_complex(ReduceOp op) {
  return op == ReduceOp::sum ? kernels_of<Sum<T>, 2 * sizeof(T)>()
                             : kernels_of<ComplexProduct<T>>();
}

}  // namespace

namespace DETOUR_KERNELS_LEVEL {

KernelSet find(ReduceOp op, ElementType type) noexcept {
  switch (type) {
    case ElementType::int8:
      return find_integer<std::uint8_t, std::int8_t>(op, true);
    case ElementType::int16:
      return find_integer<std::uint16_t, std::int16_t>(op, true);
    case ElementType::int32:
      return find_integer<std::uint32_t, std::int32_t>(op, true);
    case ElementType::int64:
      return find_integer<std::uint64_t, std::int64_t>(op, true);
    case ElementType::uint8:
    case ElementType::byte:
    case ElementType::boolean:
      return find_integer<std::uint8_t, std::int8_t>(op, false);
    case ElementType::uint16:
      return find_integer<std::uint16_t, std::int16_t>(op, false);
    case ElementType::uint32:
    case ElementType::logical:
      return find_integer<std::uint32_t, std::int32_t>(op, false);
    case ElementType::uint64:
      return find_integer<std::uint64_t, std::int64_t>(op, false);
    case ElementType::float16:
      return find_floating<OnFloat16>(op);
    case ElementType::bfloat16:
      return find_floating<OnBFloat16>(op);
    case ElementType::float32:
      return find_floating<OnFloat32>(op);
    case ElementType::float64:
      return find_floating<OnFloat64>(op);
    case ElementType::complex_float32:
      return find_complex<float>(op);
    case ElementType::complex_float64:
      return find_complex<double>(op);
    default:
      return {};
  }
}

}  // namespace DETOUR_KERNELS_LEVEL
}  // namespace detour::kernels
