#include <nlohmann/json.hpp>

#include "info.hpp"
#include "selection/selection_words.hpp"
#include "setting_list.hpp"
#include "way_words.hpp"

namespace detour::tool {
namespace {

// As it is written, not sorted.
using Json = nlohmann::ordered_json;

// Names of files and hosts may be any bytes.
std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json settings_json(const Settings& settings) {
  Json list = Json::array();
  for (std::size_t at = 0; at < setting_count; ++at) {
    const SettingEntry& entry = setting_list()[at];
    const auto value = entry.write(settings);
    list.push_back({{"name", entry.name},
                    {"variable", entry.variable},
                    {"value", value ? Json(*value) : Json(nullptr)},
                    {"default", entry.default_text},
                    {"origin", name(settings.origins[at])},
                    {"per_communicator", entry.scope == SettingScope::communicator},
                    {"meaning", entry.meaning}});
  }
  return list;
}

Json table_json(const SelectionTable& table) {
  Json list = Json::array();
  for (const SelectionLine& line : table.lines()) {
    list.push_back(
        {{"operation", word_for(operation_words, line.operation)},
         {"nodes", word_for(layout_words, line.nodes)},
         {"ranks", line.rank_count_min},
         {"bytes", line.bytes_min},
         {"policies", line.policies},
         {"chunk_bytes", line.chunk_bytes == whole_chunk ? Json() : Json(line.chunk_bytes)},
         {"stores", stores_text(line.stores)}});
  }
  return list;
}

Json problem_json(const std::string& problem) {
  return {{"works", problem.empty()}, {"problem", problem}};
}

Json probes_json(const Probes& probes) {
  const auto& bytes = probes.shared_memory_bytes;
  return {{"core_count", probes.place.core_count},
          {"machine_core_count", probes.place.machine_core_count},
          {"machine_pu_count", probes.place.machine_pu_count},
          {"machine_numa_count", probes.place.machine_numa_count},
          {"memfd", problem_json(probes.memfd_problem)},
          {"shm_free_bytes", bytes ? Json(*bytes) : Json(nullptr)},
          {"process_vm_readv", problem_json(probes.peer_read_problem)}};
}

Json job_json(const JobInfo& job) {
  const Placement& placement = job.placement;
  Json ranks = Json::array();
  for (std::size_t rank = 0; rank < job.reports.size(); ++rank) {
    const RankReport& report = job.reports[rank];
    const Cell cell = placement.mesh.cell(placement.cell_of_rank[rank]);
    ranks.push_back({{"rank", rank},
                     {"host", report.host_name.data()},
                     {"node", placement.node_of_rank[rank]},
                     {"numa", report.location.numa},
                     {"core", report.location.core},
                     {"core_count", report.core_count},
                     {"cell", {cell.row, cell.col}}});
  }
  Json holes = Json::array();
  for (CellId id = 0; id < placement.mesh.cell_count(); ++id) {
    const Cell cell = placement.mesh.cell(id);
    if (placement.holes.failed(id)) holes.push_back({cell.row, cell.col});
  }
  return {{"mesh", {{"rows", placement.mesh.rows()}, {"cols", placement.mesh.cols()}}},
          {"cells", placement.content == CellContent::rank ? "rank" : "node"},
          {"node_count", placement.node_count},
          {"holes", holes},
          {"ranks", ranks}};
}

}  // namespace

std::string info_json(const Info& info) {
  return dumped({{"version", info.version},
                 {"mpi", info.mpi_version},
                 {"kernels", info.kernel_level},
                 {"memory_limit_bytes", info.settings.memory_bytes},
                 {"settings", settings_json(info.settings)},
                 {"table", table_json(info.table)},
                 {"probes", probes_json(info.probes)},
                 {"job", info.job ? job_json(*info.job) : Json(nullptr)}});
}

}  // namespace detour::tool
