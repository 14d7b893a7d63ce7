// What was measured beside each other: Detour, the allreduces that could be used instead, and memory itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/ratio.hpp"

namespace detour::tool {

// `peer`: of the MPI that Detour runs on, in alternation with it. `outsider`: of another library, by itself.
enum class Role { detour, peer, limit, outsider };
// Where Detour's buffers are from: malloc, or Detour_Alloc.
enum class Buffers { any, shared };

// Messages from which on buffers that all ranks map are measured; below, they are copied anyway.
inline constexpr std::uint64_t shared_bytes_min = 64 << 10;
// Messages from which on memory itself is measured; below, the caches would be.
inline constexpr std::uint64_t limit_bytes_min = 64 << 10;

struct Series {
  std::string name;
  Role role = Role::peer;
  Buffers buffers = Buffers::any;
};

// Of the times of calls; the bounds are those of a 95 % confidence interval of the median.
struct Median {
  bool of_trial =
      false;  // of a series that was then left out, for it was too slow to be the fastest
  std::uint64_t call_count = 0;
  double us = 0;
  double low_us = 0;
  double high_us = 0;
};

// How Detour's calls did beside others of the same rounds: how many times as long those took.
struct Standing {
  Buffers buffers = Buffers::any;
  std::optional<Ratio> to_best_peer = {};
  std::optional<Ratio> to_limit = {};
};

struct ComparedSize {
  std::uint64_t bytes = 0;
  // In the order of the series; nothing where one could not do it.
  std::vector<std::optional<Median>> medians = {};
  std::vector<Standing> standings = {};
};

// One job: so many ranks, in place or not.
struct Comparison {
  int rank_count = 1;
  bool in_place = false;
  std::string mpi_version = {};
  std::string detour_version = {};
  std::vector<Series> series = {};
  std::vector<ComparedSize> sizes = {};
  std::vector<std::string> notes = {};
};

// The series with this role that was fastest at this size, trials aside; nothing if none was measured.
std::optional<std::size_t> fastest(const Comparison& comparison, const ComparedSize& size,
                                   Role role);
// Of Detour with such buffers, at this size; nothing if it was not measured.
std::optional<Median> detour_median(const Comparison& comparison, const ComparedSize& size,
                                    Buffers buffers);
const Standing* find_standing(const ComparedSize& size, Buffers buffers);

std::string place_words(bool in_place);      // "in place", "out of place"
std::string buffers_words(Buffers buffers);  // "any", "Detour_Alloc"

}  // namespace detour::tool
