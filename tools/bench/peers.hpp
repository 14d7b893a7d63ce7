// The ranks that measure together, as far as measuring has to know of them.
#pragma once

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

}  // namespace detour::tool
