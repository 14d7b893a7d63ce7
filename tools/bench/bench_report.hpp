// What a run of `detour bench` found, for all the ways to show it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/ratio.hpp"
#include "bench/statistics.hpp"

namespace detour::tool {

// What a series is measured for: for itself, or to compare others with it.
enum class SeriesRole { subject, mpi, twin };

// One call that is measured: Detour with one policy, MPI, or Detour on a twin of the first one's communicator.
struct SeriesName {
  std::string name;
  SeriesRole role = SeriesRole::subject;
};

// How a twin differs: it has no fault tolerance, or has never lost a rank.
enum class TwinKind { without_fault_tolerance, without_losses };

struct SizeResult {
  std::uint64_t bytes = 0;
  std::uint64_t iteration_count = 0;
  // In the order of the series; nothing where one could not do it.
  std::vector<std::optional<Latency>> latencies = {};
  // Of the first series to its twin, on rank 0; nothing if there is no twin or one of them could not do it.
  std::optional<Ratio> to_twin = {};
};

struct BenchReport {
  std::string version;
  int rank_count = 1;
  int lost_rank_count = 0;  // beyond those
  std::string type;
  std::string operation;
  bool in_place = false;
  bool validated = true;
  std::string memory = {};     // "malloc" or "detour"
  std::string transport = {};  // empty: as the library chooses
  std::optional<double> limit_gbs = {};
  std::optional<TwinKind> twin = {};
  std::vector<SeriesName> series = {};
  std::vector<SizeResult> sizes = {};
  std::vector<std::string> notes = {};
};

// Of the series with this role in this result; nothing if it was not measured.
std::optional<Latency> latency_of(SeriesRole role, const BenchReport& report,
                                  const SizeResult& size);

// How many times as long MPI's median call takes.
double speedup(const Latency& mpi, const Latency& detour);

// Of the first series to its twin: what is allowed, and whether that is kept to.
double allowed_ratio(const BenchReport& report, const SizeResult& size);
Verdict judge(const BenchReport& report, const SizeResult& size);

}  // namespace detour::tool
