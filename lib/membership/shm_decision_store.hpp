// Decisions in memory that all members share.
//
//   each member    its proposal for every number, written by itself alone, before it stands for election
//   member 0       for every number: who was first, set once by compare-and-swap
//
// Memory outlives its owner, member 0's too. Whoever reads a winner (acquire) reads a proposal that was
// complete when that winner stood for election (release), whether it lives or not. Nothing is ever used
// again: every decision takes at least one member out, so there are fewer decisions than members.
#pragma once

#include <cstddef>
#include <vector>

#include "membership/decision_store.hpp"

namespace detour {

class ShmDecisionStore final : public DecisionStore {
 public:
  // Of each member's part, in a communicator of so many.
  static std::size_t part_bytes(std::size_t member_count);
  // By the owner, at the start of a cache line, before the others look.
  static void create_at(std::byte* place, std::size_t member_count);

  // All members' parts, mapped by this one.
  ShmDecisionStore(std::size_t member, std::vector<std::byte*> parts);

  MemberSet decide(std::uint64_t number, const MemberSet& proposal) override;

 private:
  MemberSet proposal_of(std::size_t member, std::uint64_t number) const;
  std::byte* proposal_place(std::size_t member, std::uint64_t number) const;

  std::size_t member_;
  std::vector<std::byte*> parts_;
};

}  // namespace detour
