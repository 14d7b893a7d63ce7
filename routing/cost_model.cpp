#include "detour/routing/cost_model.hpp"

#include <algorithm>
#include <cmath>

namespace detour {
namespace {

// Smaller messages are all overhead, larger ones no longer gain anything.
constexpr std::uint64_t chunk_bytes_min = 1024;
constexpr std::uint64_t chunk_bytes_max = 1024 * 1024;

double us_with_chunks(const Shape& shape, const Request& request, double chunk_bytes_wanted) {
  const Machine& machine = request.machine;
  const auto bytes = static_cast<double>(std::max<std::uint64_t>(request.bytes.value(), 1));
  const double link_bytes = shape.link_load * bytes;

  // Chunks never span flows, so a small flow sends less than a chunk at a time.
  const double flow_bytes = shape.flow_share * bytes;
  const double chunk_bytes = std::min(chunk_bytes_wanted, flow_bytes);
  const double chunk_count = std::ceil(flow_bytes / chunk_bytes);
  const double chunk_us = machine.message_overhead_us + chunk_bytes / machine.link_bytes_per_us;
  const double message_count = std::ceil(link_bytes / chunk_bytes);
  const double latency_us = shape.distance * machine.hop_latency_us;

  const double link_us =
      link_bytes / machine.link_bytes_per_us + message_count * machine.message_overhead_us;
  const double cell_us = machine.injection_bytes_per_us
                             ? shape.cell_load * bytes / *machine.injection_bytes_per_us
                             : 0;
  const double all_at_work_us = std::max(link_us, cell_us) + latency_us;
  const double alone_us = (shape.depth + chunk_count - 1) * chunk_us + latency_us;
  return std::max(all_at_work_us, alone_us);
}

}  // namespace

double predicted_us(const Shape& shape, const Request& request) {
  if (shape.depth == 0) return 0;
  return us_with_chunks(shape, request, static_cast<double>(best_chunk_bytes(shape, request)));
}

std::uint64_t best_chunk_bytes(const Shape& shape, const Request& request) {
  if (request.machine.chunk_bytes) return *request.machine.chunk_bytes;
  std::uint64_t best = chunk_bytes_min;
  for (std::uint64_t chunk = chunk_bytes_min; chunk <= chunk_bytes_max; chunk *= 2) {
    const auto us = [&](std::uint64_t bytes) {
      return us_with_chunks(shape, request, static_cast<double>(bytes));
    };
    if (us(chunk) <= us(best)) best = chunk;
  }
  return best;
}

double injection_limit(const Topology& topology, const Request& request) {
  const Machine& machine = request.machine;
  if (!machine.injection_bytes_per_us || topology.live_count() == 0) return 0;
  const double cells = topology.live_count();
  return 2 * (cells - 1) / cells * machine.link_bytes_per_us / *machine.injection_bytes_per_us;
}

double predicted_time(const Shape& shape, const Request& request) {
  const Machine& machine = request.machine;
  if (request.bytes) {
    const auto bytes = static_cast<double>(std::max<std::uint64_t>(*request.bytes, 1));
    return predicted_us(shape, request) * machine.link_bytes_per_us / bytes;
  }
  if (!machine.injection_bytes_per_us) return shape.link_load;
  const double injection = *machine.injection_bytes_per_us / machine.link_bytes_per_us;
  return std::max(shape.link_load, shape.cell_load / injection);
}

}  // namespace detour
