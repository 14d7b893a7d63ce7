// Who is measured in turn, and what is known of them afterwards.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/ratio.hpp"

namespace detour::tool {

// `peer`: in alternation with it, and set aside if too slow: of the MPI that Detour runs on, or another way of Detour's.
// `limit`: what nobody can do without; `exchange`: a call that does nothing but what it takes to get data from rank to rank,
// where buffers can be read by their owners alone, or, with shared ones, by all.
// `outsider`: of another library, by itself.
enum class Role { detour, peer, limit, exchange, outsider };
// Where buffers are from: malloc, or, so that all ranks can read them, Detour_Alloc; those of an exchange from MPI.
enum class Buffers { any, shared };

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
  // What they would be if Detour took as long as the fastest exchange with such buffers.
  std::optional<Ratio> best_peer_to_exchange = {};
  std::optional<Ratio> limit_to_exchange = {};
};

struct ComparedSize {
  std::uint64_t bytes = 0;
  // How many times as long the best peer took as the limit: no ratio to that peer can be larger.
  std::optional<Ratio> best_peer_to_limit = {};
  // In the order of the series; nothing where one could not do it.
  std::vector<std::optional<Median>> medians = {};
  std::vector<Standing> standings = {};
};

std::string place_words(bool in_place);  // "in place", "out of place"

}  // namespace detour::tool
