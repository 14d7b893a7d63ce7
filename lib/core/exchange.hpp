// How the members of a group that is going to share memory tell each other about themselves.
//
// When a member dies, whoever still waits for it gives up; others may have got all they wanted before. So nobody can
// conclude from an exchange that went well that it did so for all.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace detour {

class Exchange {
 public:
  enum class Result {
    done,
    lost,  // a member is dead
    failed,
  };

  virtual ~Exchange() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  // Everybody's bytes, by rank. As many of each.
  virtual Result gather(std::span<const std::byte> mine, std::span<std::byte> everybodys) = 0;

  // Whether a member is known to be dead.
  virtual bool has_lost_members() = 0;

  // The members' ranks in MPI_COMM_WORLD, MPI_UNDEFINED for those of other worlds; empty if they are known already.
  virtual std::vector<int> world_ranks() const = 0;
};

}  // namespace detour
