// Combines what ranks say of a call.
#pragma once

#include "collectives/call_header.hpp"
#include "collectives/combiner.hpp"

namespace detour {

class VerdictCombiner final : public Combiner {
 public:
  std::size_t element_bytes() const override { return sizeof(CallVerdict); }
  void combine(std::byte* result, std::span<const std::byte* const> inputs,
               std::size_t element_count) const override;
};

}  // namespace detour
