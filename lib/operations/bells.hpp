// The bells of the other members: rung for those who may be asleep on theirs instead of on a counter.
#pragma once

#include <vector>

#include "protocol_switches.hpp"
#include "shm/counter.hpp"

namespace detour {

class Bells {
 public:
  // By rank; none for this rank itself, and for those on other nodes.
  explicit Bells(std::vector<Counter*> bells = {}) : bells_(std::move(bells)) {}

  void ring() const {
    if (protocol_switches.dont_ring) return;
    for (Counter* bell : bells_) {
      if (bell != nullptr) bell->add_one();
    }
  }

 private:
  std::vector<Counter*> bells_;
};

}  // namespace detour
