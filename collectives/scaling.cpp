#include "collectives/scaling.hpp"

#include "collectives/reduce_op.hpp"

namespace detour {

bool can_be_scaled(ElementType type) noexcept {
  return type >= ElementType::float16 && type <= ElementType::complex_float128;
}

void rescale_result(const Call& call, std::size_t rank_count, std::size_t contributor_count) {
  constexpr auto sum = static_cast<std::uint32_t>(ReduceOp::sum) + 1;
  const std::uint32_t element = call.header.element;
  if (call.output_bytes == 0 || call.header.operation != sum) return;
  if (element == 0 || element > element_type_count) return;
  const auto type = static_cast<ElementType>(element - 1);
  if (!can_be_scaled(type) || contributor_count == 0 || contributor_count == rank_count) return;
  scale(type, call.output, call.output_bytes / element_bytes(type),
        static_cast<double>(rank_count) / static_cast<double>(contributor_count));
}

}  // namespace detour
