// What a run of `detour bench` found, for all the ways to show it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/ratio.hpp"
#include "bench/statistics.hpp"

namespace detour::tool {

// What a series is measured for: for itself, or to compare others with it.
enum class SeriesRole { subject, mpi, twin };

// How the buckets of a step are handed over: all of them before any is waited for, or each when the one before it
// is done.
enum class Handing { nonblocking, blocking };

// One call that is measured: Detour with one policy, MPI, or Detour on a twin of the first one's communicator.
struct SeriesName {
  std::string name;
  SeriesRole role = SeriesRole::subject;
  std::optional<Handing> handing = {};  // if it is a step of buckets

  // "detour", "detour nonblocking".
  std::string text() const;
};

// The series that one of them is compared with, round by round: if it is nonblocking, the same in blocking calls; if it
// is the subject of a run that has a twin, the twin.
std::optional<std::size_t> twin_of(std::span<const SeriesName> series, std::size_t index);

// How a twin differs: it has no fault tolerance, or has never lost a rank.
enum class TwinKind { without_fault_tolerance, without_losses };

// Of one message, or of a step of buckets.
struct SizeResult {
  std::uint64_t bytes = 0;  // that a rank gives in all
  std::uint64_t iteration_count = 0;
  // In the order of the series; nothing where one could not do it.
  std::vector<std::optional<Latency>> latencies = {};
  // In the order of the series, to the twin of each, on rank 0; nothing if it has none or one of them could not do it.
  std::vector<std::optional<Ratio>> to_twin = {};

  std::optional<Ratio> ratio_to_twin(std::size_t index) const {
    return index < to_twin.size() ? to_twin[index] : std::nullopt;
  }
};

// The buckets of a training step.
struct BucketFacts {
  std::vector<std::uint64_t> sizes_bytes = {};
  std::uint64_t compute_us = 0;  // before each
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
  std::optional<BucketFacts> buckets = {};
  std::vector<SeriesName> series = {};
  std::vector<SizeResult> sizes = {};
  std::vector<std::string> notes = {};

  bool has(SeriesRole role) const;
};

// Of the series with this role, and that does its calls this way, in this result; nothing if it was not measured.
std::optional<Latency> latency_of(SeriesRole role, const BenchReport& report,
                                  const SizeResult& size, std::optional<Handing> handing = {});

// MPI's that has the fastest median, whichever way its calls are done; nothing if there is none.
std::optional<Latency> best_mpi(const BenchReport& report, const SizeResult& size);

// How many times as long MPI's median call takes.
double speedup(const Latency& mpi, const Latency& detour);

// Of a subject to its twin: what is allowed, and whether that is kept to.
double allowed_ratio(const BenchReport& report, const SizeResult& size);
Verdict judge(const BenchReport& report, const SizeResult& size, const Ratio& to_twin);

}  // namespace detour::tool
