// The errors of operations as MPI's classes, with a line in the log for people.
#pragma once

#include <vector>

#include "operations/operation.hpp"

namespace detour {

class MpiErrors final : public OperationErrors {
 public:
  int disagreement(const CallVerdict& verdict) const override;
  int no_memory() const override;
  int no_route(std::string_view reason) const override;
  int members_lost(std::span<const std::size_t> ranks) const override;
  int fenced() const override;

  // The same error with the names of those who were lost last in its text, if it is about them. Apart, because that
  // calls MPI, which only the program's threads may do; operations also end in the helper thread.
  [[gnu::hot]] int with_names(int error) const;

 private:
  // Written and read by whoever carries out the communicator's operations, one at a time.
  mutable std::vector<int> lost_;
};

}  // namespace detour
