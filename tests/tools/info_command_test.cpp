#include <unistd.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "detour_program.hpp"
#include "setting_list.hpp"

using namespace detour;
using namespace detour::test;
using nlohmann::json;

namespace {

std::string host_name() {
  std::array<char, 256> name{};
  REQUIRE(::gethostname(name.data(), name.size() - 1) == 0);
  return name.data();
}

// `detour info` as a job of so many ranks, all of which may run on any core.
ProgramResult run_job(int rank_count, std::vector<std::string> arguments = {},
                      std::vector<std::string> environment = {}) {
  std::vector<std::string> words{MPIEXEC_PATH};
  std::string options = MPIRUN_OPTIONS;
  for (std::size_t start = 0; start < options.size();) {
    const std::size_t end = std::min(options.find(' ', start), options.size());
    words.push_back(options.substr(start, end - start));
    start = end + 1;
  }
  words.insert(words.end(), {"-n", std::to_string(rank_count), DETOUR_PROGRAM_PATH, "info"});
  words.insert(words.end(), arguments.begin(), arguments.end());
  // What MPI itself leaves behind is not under test.
  environment.insert(
      environment.end(),
      {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
       "ASAN_OPTIONS=detect_leaks=0", "TSAN_OPTIONS=ignore_noninstrumented_modules=1"});
  return run_program(words, {.environment = environment});
}

json job_of(const ProgramResult& result) {
  INFO(result.err);
  REQUIRE(result.exit_status == 0);
  return json::parse(result.out)["job"];
}

}  // namespace

TEST_CASE("info tells every setting, where it comes from and what it means") {
  const auto text = output_of("info", {.environment = {"DETOUR_CHUNK_BYTES=32K"}});
  for (const SettingEntry& entry : setting_list()) {
    INFO(entry.name);
    REQUIRE(contains(text, "  " + std::string(entry.variable) + " = "));
    REQUIRE(contains(text, "\n      " + std::string(entry.meaning) + "\n"));
  }
  REQUIRE(contains(text, "  DETOUR_LOG = warn  (default)\n"));
  REQUIRE(contains(text,
                   "  DETOUR_CHUNK_BYTES = 32K  (environment; default: as the selection table "
                   "says)\n"));
}

TEST_CASE("info tells what it is built on and what the machine can do") {
  const auto text = output_of("info", {.environment = {"DETOUR_MEMORY_BYTES=64M"}});
  REQUIRE(text.starts_with("detour "));
  REQUIRE(contains(text, "Open MPI v"));
  REQUIRE(contains(text, "64 MiB per process at most"));
  for (const char* name :
       {"\nkernels ", "\n  cores ", "\n  memfd ", "\n  /dev/shm ", "\n  process_vm_readv "}) {
    REQUIRE(contains(text, name));
  }
  REQUIRE(contains(text, "  # operation  nodes  ranks  bytes"));
  REQUIRE_FALSE(contains(text, "Job: "));
}

TEST_CASE("info tells the same as JSON") {
  const auto info = json::parse(output_of("info --json", {.environment = {"DETOUR_MESH=2x3"}}));
  REQUIRE(info["settings"].size() == setting_count);
  for (const json& setting : info["settings"]) {
    const bool is_mesh = setting["name"] == "mesh";
    REQUIRE(setting["origin"] == (is_mesh ? "environment" : "default"));
    if (is_mesh) REQUIRE(setting["value"] == "2x3");
    if (setting["name"] == "policy") REQUIRE(setting["value"].is_null());
  }
  REQUIRE(info["memory_limit_bytes"] == 256 << 20);
  REQUIRE(info["table"][0]["policies"] == json{"direct", "tree"});
  REQUIRE(info["table"][0]["chunk_bytes"] == 65536);
  REQUIRE(info["table"][0]["stores"] == "auto");
  REQUIRE(info["table"][1]["chunk_bytes"].is_null());  // not cut
  REQUIRE(info["probes"]["machine_core_count"] >= 1);
  REQUIRE(info["probes"]["memfd"]["works"].is_boolean());
  REQUIRE(info["job"].is_null());
}

TEST_CASE("info complains of settings that make no sense") {
  REQUIRE(complaint_of("info", 2, {.environment = {"DETOUR_MESHES=2x2"}}) ==
          "unknown setting DETOUR_MESHES; did you mean DETOUR_MESH?");
  REQUIRE(complaint_of("info", 2, {.environment = {"DETOUR_POLICY=rng"}}) ==
          "unknown policy 'rng'; did you mean 'ring'?");
  REQUIRE(complaint_of("info", 2, {.environment = {"DETOUR_TABLE=/nonexistent/table"}}) ==
          "can't read the selection table '/nonexistent/table': No such file or directory");
  REQUIRE(contains(complaint_of("info --jason", 2), "did you mean '--json'?"));
}

TEST_CASE("plug-ins may be asked for in a job's settings") {
  const std::string path = " --policy-path " + std::string(EXAMPLE_PLUGIN_PATH);
  output_of("info" + path, {.environment = {"DETOUR_POLICY=serpentine"}});
  REQUIRE(contains(complaint_of("info", 2, {.environment = {"DETOUR_POLICY=serpentine"}}),
                   "unknown policy 'serpentine'"));
}

TEST_CASE("under mpirun info draws where the ranks are") {
  const auto result = run_job(6);
  INFO(result.err);
  REQUIRE(result.exit_status == 0);
  // Rank 0 alone speaks.
  REQUIRE(result.out.find("Settings\n") == result.out.rfind("Settings\n"));
  REQUIRE(
      contains(result.out, "Job: 6 ranks on 1 node; mesh 2x3, a cell for each rank, 0 holes\n+"));
  for (int rank = 0; rank < 6; ++rank) {
    REQUIRE(contains(result.out, "| rank " + std::to_string(rank) + " "));
  }
  REQUIRE(contains(result.out, "| " + host_name().substr(0, 20)));
}

TEST_CASE("a job's settings decide its mesh") {
  const json rows = job_of(run_job(4, {"--json"}, {"DETOUR_MESH=3x2"}));
  REQUIRE(rows["mesh"] == json{{"rows", 3}, {"cols", 2}});
  REQUIRE(rows["cells"] == "rank");
  REQUIRE(rows["holes"] == json::array({json{2, 0}, json{2, 1}}));
  REQUIRE(rows["ranks"].size() == 4);
  REQUIRE(rows["ranks"][3]["cell"] == json{1, 0});
  REQUIRE(rows["ranks"][3]["host"] == host_name().substr(0, 63));

  const json nodes = job_of(run_job(3, {"--json"}, {"DETOUR_CELLS=node"}));
  REQUIRE(nodes["mesh"] == json{{"rows", 1}, {"cols", 1}});
  REQUIRE(nodes["node_count"] == 1);
  for (const json& rank : nodes["ranks"]) REQUIRE(rank["cell"] == json{0, 0});
}

TEST_CASE("one rank complains for all of a job") {
  const auto result = run_job(3, {}, {"DETOUR_MESH=1x2"});
  REQUIRE(result.exit_status == 2);
  REQUIRE(result.out.empty());
  const std::string complaint =
      "detour: the mesh 1x2 has 2 cells, too few for 3 ranks with a cell each\n";
  REQUIRE(contains(result.err, complaint));
  REQUIRE(result.err.find(complaint) == result.err.rfind(complaint));
}
