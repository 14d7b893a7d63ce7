// What a run of `detour bench` found, for all the ways to show it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/statistics.hpp"

namespace detour::tool {

// One call that is measured: Detour with one policy, or MPI.
struct SeriesName {
  std::string name;
  bool is_mpi = false;
};

struct SizeResult {
  std::uint64_t bytes = 0;
  std::uint64_t iteration_count = 0;
  // In the order of the series; nothing where one could not do it.
  std::vector<std::optional<Latency>> latencies = {};
};

struct BenchReport {
  std::string version;
  int rank_count = 1;
  std::string type;
  std::string operation;
  bool in_place = false;
  bool validated = true;
  std::string memory = {};     // "malloc" or "detour"
  std::string transport = {};  // empty: as the library chooses
  std::optional<double> limit_gbs = {};
  std::vector<SeriesName> series = {};
  std::vector<SizeResult> sizes = {};
  std::vector<std::string> notes = {};
};

// Of MPI in this result; nothing if it was not measured.
std::optional<Latency> mpi_latency(const BenchReport& report, const SizeResult& size);

// How many times as long MPI's median call takes.
double speedup(const Latency& mpi, const Latency& detour);

}  // namespace detour::tool
