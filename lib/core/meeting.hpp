// The members of a communicator say something to all others, and learn who has said what. Those who die meanwhile are
// either there, for all alike, or absent.
#pragma once

#include <cstdint>
#include <vector>

#include "core/communicator.hpp"

namespace detour {

// What a member says. Plain numbers, which are combined by bits.
struct Answer {
  std::uint64_t is_present = 1;
  std::uint64_t bound_for = 0;
  std::uint64_t has_color = 0;
  std::uint64_t color = 0;
  std::int64_t key = 0;
};

class Meeting {
 public:
  // On a communicator of this node's, whose board is used: like any call on it, all have to make it. `function`, the name of what they
  // are about, has to be the same on all, or they get an error.
  Meeting(Communicator& communicator, const char* function);

  // MPI_SUCCESS, or the class of an error, on all alike: one of the ranks has an error, or calls something else.
  int hold(const Answer& mine, int error);

  // Of the last time. Ranks ascend.
  const std::vector<int>& present() const { return present_; }
  std::vector<int> absent() const;
  bool all_are_present() const { return present_.size() == answers_.size(); }
  const Answer& answer(int rank) const { return answers_[static_cast<std::size_t>(rank)]; }

 private:
  int hold_part(std::size_t first, std::size_t count, int error);

  Communicator& communicator_;
  const std::uint64_t function_;
  std::vector<Answer> answers_;
  std::vector<int> present_;
};

}  // namespace detour
