#include <algorithm>

#include "format.hpp"
#include "info.hpp"
#include "placement_drawing.hpp"
#include "setting_list.hpp"
#include "value_text.hpp"

namespace detour::tool {
namespace {

std::string field(std::string name, const std::string& value) {
  constexpr std::size_t name_width = 20;
  name.resize(name_width, ' ');
  return name + value + "\n";
}

std::string yes_or(const std::string& problem) {
  return problem.empty() ? "works" : "does not work: " + one_line(problem);
}

std::string machine_text(const Probes& probes) {
  const HardwarePlace& place = probes.place;
  return "Machine\n" +
         field("  cores", count(place.machine_core_count, "core") + ", " +
                              count(place.machine_pu_count, "hardware thread") + ", " +
                              count(place.machine_numa_count, "NUMA node") +
                              "; this process may use " + count(place.core_count, "core")) +
         field("  memfd", yes_or(probes.memfd_problem)) +
         field("  /dev/shm", probes.shared_memory_bytes
                                 ? std::to_string(*probes.shared_memory_bytes >> 20) + " MiB free"
                                 : std::string("is not there")) +
         field("  process_vm_readv", yes_or(probes.peer_read_problem));
}

std::string setting_text(const SettingEntry& entry, SettingOrigin origin,
                         const Settings& settings) {
  const auto value = entry.write(settings);
  std::string text = "  " + std::string(entry.variable) + " = ";
  if (origin == SettingOrigin::built_in) {
    text += std::string(entry.default_text) + "  (default)";
  } else {
    text += one_line(value.value_or("")) + "  (" + std::string(name(origin)) +
            "; default: " + std::string(entry.default_text) + ")";
  }
  return text + "\n      " + std::string(entry.meaning) + "\n";
}

std::string settings_text(const Settings& settings) {
  std::string text = "Settings\n";
  for (std::size_t at = 0; at < setting_count; ++at) {
    text += setting_text(setting_list()[at], settings.origins[at], settings);
  }
  return text;
}

std::string table_text(const SelectionTable& table) {
  std::string text = "Selection: the last line that holds counts; ranks and bytes are lower ends\n";
  const std::string lines = table.text();
  for (std::size_t start = 0; start < lines.size();) {
    const std::size_t end = lines.find('\n', start) + 1;
    text += "  " + lines.substr(start, end - start);
    start = end;
  }
  return text;
}

std::string job_text(const JobInfo& job, std::size_t width) {
  const Placement& placement = job.placement;
  const bool rank_cells = placement.content == CellContent::rank;
  return "Job: " + count(placement.cells.rank_count(), "rank") + " on " +
         count(placement.node_count, "node") + "; mesh " + mesh_text(placement.mesh) + ", " +
         (rank_cells ? "a cell for each rank" : "a cell for each node") + ", " +
         count(placement.holes.count(), "hole") + "\n" +
         draw_placement(placement, job.reports, width);
}

}  // namespace

std::string info_text(const Info& info, std::size_t width) {
  std::string text =
      field("detour", info.version) + field("MPI", one_line(info.mpi_version)) +
      field("kernels", info.kernel_level) +
      field("shared memory", size(info.settings.memory_bytes) + " per process at most") + "\n" +
      machine_text(info.probes) + "\n" + settings_text(info.settings) + "\n" +
      table_text(info.table);
  if (info.job) text += "\n" + job_text(*info.job, width);
  return text;
}

}  // namespace detour::tool
