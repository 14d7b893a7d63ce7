// Whose data is in the result of an operation, and what it took to get there.
#pragma once

#include <cstdint>

#include "membership/member_set.hpp"

namespace detour {

struct OperationResult {
  MemberSet contributors;
  int attempt_count = 1;
  std::uint64_t epoch = 0;

  bool operator==(const OperationResult&) const = default;
};

}  // namespace detour
