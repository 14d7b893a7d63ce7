// Where survivors agree on who has failed.
//
// Decisions are numbered. For each number the first proposal wins, and everybody gets that one, whoever
// dies meanwhile.
#pragma once

#include <cstdint>

#include "membership/member_set.hpp"

namespace detour {

class DecisionStore {
 public:
  virtual ~DecisionStore() = default;

  // The set that was decided under this number: the proposal, or another member's that was first.
  virtual MemberSet decide(std::uint64_t number, const MemberSet& proposal) = 0;
};

}  // namespace detour
