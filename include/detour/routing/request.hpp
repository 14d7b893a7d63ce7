// What is to be planned for: how much data, on what machine.
#pragma once

#include <cstdint>
#include <optional>

namespace detour {

// The figures of the cost model. Rates are bytes per microsecond, that is MB/s.
struct Machine {
  double link_bytes_per_us = 10'000;             // each link, each direction at once
  std::optional<double> injection_bytes_per_us;  // into, and out of, one cell; unset: no limit
  double hop_latency_us = 1;                     // per link crossed
  double message_overhead_us = 0.2;              // per chunk, occupying the link
  std::optional<std::uint64_t> chunk_bytes;      // unset: whatever is best for the plan
};

struct Request {
  // Payload per rank; 0 is priced like 1. Unset: so large that only bandwidth counts.
  std::optional<std::uint64_t> bytes;
  Machine machine;
  // How many trees `trees` packs at most, 1 to 1024; unset: as many as pay off.
  std::optional<std::int32_t> tree_count_max;
};

}  // namespace detour
