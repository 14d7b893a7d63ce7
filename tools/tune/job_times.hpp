// What was measured: how long each way takes, at each size, out of place and in place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alternation/series.hpp"
#include "selection/selection_table.hpp"
#include "tune/way.hpp"

namespace detour::tool {

struct WayTimes {
  Way way;
  // Nothing where it could not be measured.
  std::optional<Median> out_of_place = {};
  std::optional<Median> in_place = {};
};

struct SizeTimes {
  std::uint64_t bytes = 0;
  std::vector<WayTimes> ways = {};
};

// Of one job.
struct JobTimes {
  NodeLayout nodes = NodeLayout::one;
  int rank_count = 0;
  std::vector<SizeTimes> sizes = {};    // ascending
  std::vector<std::string> notes = {};  // on what was left out
};

// What a job finds out at a time: one size, out of place or in place.
struct PlaceTimes {
  NodeLayout nodes = NodeLayout::one;
  int rank_count = 0;
  std::uint64_t bytes = 0;
  bool in_place = false;
  std::vector<Way> ways = {};
  std::vector<std::optional<Median>> medians = {};  // of the ways, in their order
  std::vector<std::string> notes = {};              // that were not told before
};

void add(JobTimes& job, const PlaceTimes& place);

// As one line of JSON, and back; nothing for a line that is something else.
std::string to_line(const PlaceTimes& place);
std::optional<PlaceTimes> place_times_from(std::string_view line);

}  // namespace detour::tool
