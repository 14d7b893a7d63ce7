// The operations whose costs are counted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "counts/one_thread_node.hpp"

namespace detour::counts {

struct Scenario {
  std::string name;
  OneThreadNode::Shape node;
  std::size_t bytes = 0;  // of an allreduce; 0: a barrier
  bool is_in_place = false;
  bool is_mapped = false;  // its buffers lie where all ranks can read them
};

std::vector<Scenario> all_scenarios();

}  // namespace detour::counts
