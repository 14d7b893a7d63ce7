// All that `detour info` tells, before it is put into words or JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "job.hpp"
#include "placement/placement.hpp"
#include "probes.hpp"
#include "selection/selection_table.hpp"
#include "settings.hpp"

namespace detour::tool {

// The ranks of the job that asks, and where they are put.
struct JobInfo {
  std::vector<RankReport> reports;
  Placement placement;
};

struct Info {
  std::string version;
  std::string mpi_version;
  std::string kernel_level;
  Settings settings;
  SelectionTable table;
  Probes probes;
  std::optional<JobInfo> job;
};

// No line of the drawing is longer than `width`, if that can be helped.
std::string info_text(const Info& info, std::size_t width);

std::string info_json(const Info& info);

}  // namespace detour::tool
