// The ranks that measure together, as far as measuring has to know of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace detour::tool {

class Peers {
 public:
  virtual ~Peers() = default;

  virtual int rank() const = 0;
  virtual int count() const = 0;
  // Returns when all ranks have called it; done before every timed call.
  virtual void synchronise() = 0;
  // Over ranks, element by element; all ranks get the answer.
  virtual std::vector<double> sums(std::vector<double> values) = 0;
  virtual std::vector<double> maxima(std::vector<double> values) = 0;
  // What the lowest rank that has something to say says; empty if none has. All ranks get it.
  virtual std::string first_complaint(const std::string& own) = 0;
};

// Rank 0 does it. If it throws BadInput all ranks do, so that none waits for it. Collective.
void do_on_first_rank(Peers& peers, const std::function<void()>& what);

}  // namespace detour::tool
