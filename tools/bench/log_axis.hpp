// A logarithmic axis: where values stand, and which of them get a mark.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detour::tool {

class LogAxis {
 public:
  // Takes in [lowest, highest], both more than zero, and goes on to the next power of `base`.
  LogAxis(double lowest, double highest, double base, double from_position, double to_position);

  double position(double value) const;
  double lowest() const { return lowest_; }
  double highest() const { return highest_; }
  // Powers of the base, every n-th of them where they would be more than `count_max`.
  std::vector<double> marks(std::size_t count_max) const;

 private:
  double base_;
  double lowest_;
  double highest_;
  double from_position_;
  double to_position_;
};

// "4 B", "64 KiB", "1 MiB".
std::string size_mark(double bytes);
// "0.1", "1", "1000", "1e+06".
std::string figure_mark(double figure);

}  // namespace detour::tool
