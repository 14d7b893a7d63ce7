// The errors of operations as MPI's classes, with a line in the log for people.
#pragma once

#include "operations/operation.hpp"

namespace detour {

class MpiErrors final : public OperationErrors {
 public:
  int disagreement(const CallVerdict& verdict) const override;
  int no_memory() const override;
  int no_route(std::string_view reason) const override;
  int members_lost(std::span<const std::size_t> ranks) const override;
  int fenced() const override;
};

}  // namespace detour
