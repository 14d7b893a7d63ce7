// One rank that measures alone, without MPI.
#pragma once

#include "bench/peers.hpp"

namespace detour::test {

class Alone final : public tool::Peers {
 public:
  int rank() const override { return 0; }
  int count() const override { return 1; }
  void synchronise() override { ++synchronised_count; }
  std::vector<double> sums(std::vector<double> values) override { return values; }
  std::vector<double> maxima(std::vector<double> values) override { return values; }
  std::string first_complaint(const std::string& own) override { return own; }

  int synchronised_count = 0;
};

}  // namespace detour::test
