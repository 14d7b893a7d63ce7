#include "collectives/element_type.hpp"

#include "kernels/pairs.hpp"

namespace detour {
namespace {

struct Description {
  ElementType type;
  std::size_t bytes;
  std::string_view name;
};

constexpr Description descriptions[] = {
    {ElementType::int8, 1, "int8"},
    {ElementType::int16, 2, "int16"},
    {ElementType::int32, 4, "int32"},
    {ElementType::int64, 8, "int64"},
    {ElementType::uint8, 1, "uint8"},
    {ElementType::uint16, 2, "uint16"},
    {ElementType::uint32, 4, "uint32"},
    {ElementType::uint64, 8, "uint64"},
    {ElementType::byte, 1, "byte"},
    {ElementType::boolean, sizeof(bool), "boolean"},
    {ElementType::logical, 4, "logical"},
    {ElementType::float16, 2, "float16"},
    {ElementType::bfloat16, 2, "bfloat16"},
    {ElementType::float32, 4, "float32"},
    {ElementType::float64, 8, "float64"},
    {ElementType::long_double, sizeof(long double), "long_double"},
    {ElementType::float128, 16, "float128"},
    {ElementType::complex_float32, 8, "complex_float32"},
    {ElementType::complex_float64, 16, "complex_float64"},
    {ElementType::complex_long_double, 2 * sizeof(long double), "complex_long_double"},
    {ElementType::complex_float128, 32, "complex_float128"},
    {ElementType::float_int, sizeof(kernels::Pair<float, int>), "float_int"},
    {ElementType::double_int, sizeof(kernels::Pair<double, int>), "double_int"},
    {ElementType::long_int, sizeof(kernels::Pair<long, int>), "long_int"},
    {ElementType::int_int, sizeof(kernels::Pair<int, int>), "int_int"},
    {ElementType::short_int, sizeof(kernels::Pair<short, int>), "short_int"},
    {ElementType::long_double_int, sizeof(kernels::Pair<long double, int>), "long_double_int"},
    {ElementType::float_float, sizeof(kernels::Pair<float, float>), "float_float"},
    {ElementType::double_double, sizeof(kernels::Pair<double, double>), "double_double"},
};

static_assert(sizeof(bool) == 1);

// Entries are found by position.
constexpr bool in_order() {
  for (std::size_t at = 0; at < element_type_count; ++at) {
    if (static_cast<std::size_t>(descriptions[at].type) != at) return false;
  }
  return sizeof(descriptions) == element_type_count * sizeof(Description);
}
static_assert(in_order());

const Description& describe(ElementType type) {
  return descriptions[static_cast<std::size_t>(type)];
}

}  // namespace

std::size_t element_bytes(ElementType type) noexcept {
  return describe(type).bytes;
}

std::string_view name(ElementType type) noexcept {
  return describe(type).name;
}

}  // namespace detour
