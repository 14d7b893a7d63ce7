// What the members of a communicator have in common when they make others out of it.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "core/circle.hpp"

namespace detour {

class Lineage {
 public:
  explicit Lineage(const Binding& binding);

  const Circle& circle() const { return circle_; }

  // A key that only those have who make one and the same communicator: all members of this one, or those of a
  // group, for which they use a tag. Each call begins another one; all have to call equally often.
  std::uint64_t key_for_all();
  std::uint64_t key_for(std::uint64_t group_hash, int tag);

  // Collective, at the end. Not on the communicator's board: that is what is let go of. False if a member dies before all are
  // known to have come.
  bool all_let_go() const;

 private:
  const Circle circle_;
  // The same on all members, and for no other communicator of theirs.
  const std::uint64_t id_;
  std::mutex mutex_;  // guards what follows
  std::uint64_t made_count_ = 0;
  std::map<std::uint64_t, std::uint64_t> made_counts_;  // by group and tag
};

}  // namespace detour
