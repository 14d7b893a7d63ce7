#include "bench/node_memory.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>

#include "bench/bench_buffers.hpp"
#include "exit_status.hpp"
#include "format.hpp"

namespace detour::tool {
namespace {

constexpr std::size_t copy_total_bytes = std::size_t{256} << 20;  // more than caches hold
constexpr std::size_t copy_bytes_min = std::size_t{1} << 20;
constexpr std::size_t copy_bytes_max = std::size_t{64} << 20;
constexpr int copy_round_count = 6;  // the first one is slower, for it gets the pages

}  // namespace

std::uint64_t available_memory_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::uint64_t kib = 0;
  std::string rest;
  while (file >> name >> kib && std::getline(file, rest)) {
    if (name == "MemAvailable:") return kib << 10;
  }
  return std::numeric_limits<std::uint64_t>::max();
}

double measure_copy_gbs(Peers& peers) {
  const auto count = static_cast<std::size_t>(peers.count());
  const std::size_t bytes = std::clamp(copy_total_bytes / count, copy_bytes_min, copy_bytes_max);
  const PageMemory from = allocate_from_system(bytes);
  const PageMemory to = allocate_from_system(bytes);
  std::memset(from.get(), 1, bytes);
  double best_gbs = 0;
  for (int round = 0; round < copy_round_count; ++round) {
    peers.synchronise();
    const auto start = std::chrono::steady_clock::now();
    std::memcpy(to.get(), from.get(), bytes);
    const std::chrono::duration<double> own = std::chrono::steady_clock::now() - start;
    const double slowest_s = peers.maxima({own.count()}).front();
    best_gbs = std::max(best_gbs, 2.0 * static_cast<double>(bytes * count) / slowest_s / 1e9);
  }
  return best_gbs;
}

std::uint64_t least_memory_share(Peers& peers, int rank_count_on_node) {
  const double own = static_cast<double>(available_memory_bytes()) / rank_count_on_node;
  const double least = -peers.maxima({-own}).front();
  // A number that is as large as they come is rounded up to one that is none.
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  return least < static_cast<double>(most) ? static_cast<std::uint64_t>(least) : most;
}

void check_memory(Peers& peers, int rank_count_on_node, std::uint64_t bytes_per_rank,
                  std::string_view who_needs) {
  const double needed = static_cast<double>(bytes_per_rank) * rank_count_on_node;
  const auto available = static_cast<double>(available_memory_bytes());
  std::string own;
  if (needed > available) {
    own = std::string(who_needs) + " buffers of " + rounded_size(needed) + " for the " +
          count(rank_count_on_node, "rank") + " of a node, which has " + rounded_size(available) +
          " free";
  }
  const std::string complaint = peers.first_complaint(own);
  if (!complaint.empty()) throw BadInput(complaint);
}

}  // namespace detour::tool
