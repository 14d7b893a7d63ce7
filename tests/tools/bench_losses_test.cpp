// `detour bench --recovery` and `--survivors` as a whole: options, and short jobs that really lose ranks.
#include <nlohmann/json.hpp>

#include "detour_program.hpp"

using namespace detour::test;

namespace {

const ProgramOptions with_mpi{
    .environment = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"}};

}  // namespace

TEST_CASE("bench recovery: bad input in a line of its own words") {
  REQUIRE(complaint_of("bench --recovery --ranks 1", 2) ==
          "--ranks is a whole number from 2 to 24, not '1'");
  REQUIRE(complaint_of("bench --recovery --kills 0", 2) ==
          "--kills is a whole number from 1 to 100000, not '0'");
  REQUIRE(complaint_of("bench --recovery --ranks 4 --kills-per-job 4", 2) ==
          "--kills-per-job is a whole number from 1 to 3, not '4'");
  REQUIRE(complaint_of("bench --recovery --busy all", 2) == "--busy is half or only, not 'all'");
  REQUIRE(complaint_of("bench --recovery -m 1K:1M", 2) ==
          "--recovery is for one size at a time: -m 16M");
  REQUIRE(complaint_of("bench --recovery --policy ring,tree", 2) ==
          "--recovery is for one policy at a time");
  REQUIRE(complaint_of("bench --recovery --compare mpi", 2) ==
          "--recovery and --compare can't be had at once");
  REQUIRE(complaint_of("bench --recovery --survivors", 2) ==
          "--recovery and --survivors can't be had at once");
  REQUIRE(complaint_of("bench --recovery --buckets", 2) ==
          "--recovery and --buckets can't be had at once");
  REQUIRE(complaint_of("bench --survivors --buckets 3", 2) ==
          "--survivors and --buckets can't be had at once");
  REQUIRE(complaint_of("bench --survivors --ranks 4 --kills 4", 2) ==
          "--kills is a whole number from 1 to 3, not '4'");
  REQUIRE(complaint_of("bench --survivors --busy half", 2) ==
          "--busy, --seed and --kills-per-job are for --recovery");
  REQUIRE(contains(complaint_of("bench --survivors --transport mpi", 2), "share memory"));
  REQUIRE(contains(complaint_of("bench --kills 3", 2), "are for --recovery and --survivors"));
  REQUIRE(contains(complaint_of("bench --recovery", 2, {.environment = {"DETOUR_FT=off"}}),
                   "DETOUR_FT is off"));
}

TEST_CASE("bench recovery: under plain mpirun it says what to use instead, once") {
  for (const char* what : {"--recovery", "--survivors"}) {
    const auto result = run_program({MPIEXEC_PATH, "--oversubscribe", "--bind-to", "none", "-np",
                                     "3", DETOUR_PROGRAM_PATH, "bench", what},
                                    with_mpi);
    INFO(result.err);
    REQUIRE(result.exit_status == 2);
    REQUIRE(result.out == "");
    const auto at = result.err.find("detour: mpirun would end the job");
    REQUIRE(at != std::string::npos);
    REQUIRE(result.err.find("detour: mpirun would", at + 1) == std::string::npos);
    REQUIRE(contains(result.err, "detourrun --no-preload -np N detour bench"));
  }
}

// Kills are left out where sanitizers make jobs slow.
TEST_CASE("bench recovery: kills ranks of jobs of its own", "[exhaustive]") {
  const auto json = nlohmann::json::parse(
      output_of("bench --recovery --ranks 4 --kills 2 --kills-per-job 2 -m 256K --busy half --json",
                with_mpi));
  REQUIRE(json["ranks"] == 4);
  REQUIRE(json["bytes"] == 256 << 10);
  REQUIRE(json["inside"]["kills"] == 2);
  REQUIRE(json["half_computing"]["kills"] == 2);
  REQUIRE(json["kills"][0]["ranks"] == 4);
  REQUIRE(json["kills"][1]["ranks"] == 3);
  for (const auto& kill : json["kills"]) {
    INFO(kill);
    REQUIRE(kill["kill_ns"] > 0);
    REQUIRE(kill["kill_ns"] <= kill["first_noticed_ns"]);
    REQUIRE(kill["first_noticed_ns"] <= kill["last_agreed_ns"]);
    REQUIRE(kill["last_agreed_ns"] <= kill["last_begun_ns"]);
    REQUIRE(kill["last_begun_ns"] <= kill["last_completed_ns"]);
    REQUIRE(kill["entered_ns"] <= kill["last_completed_ns"]);
    REQUIRE(kill["fault_free_us"] > 0);
  }
}

TEST_CASE("bench recovery: in place, in a job of detourrun's", "[exhaustive]") {
  const auto result = run_program(
      {DETOURRUN_PATH, "--no-preload", "--oversubscribe", "-np", "3", DETOUR_PROGRAM_PATH, "bench",
       "--recovery", "-m", "100K", "--inplace", "--seed", "5"},
      with_mpi);
  INFO(result.err);
  REQUIRE(result.exit_status == 0);
  REQUIRE(contains(result.out, "3 ranks, 100 KiB, in place"));
  REQUIRE(contains(result.out, "all survivors inside the operation: 1 kill,"));
  REQUIRE(contains(result.out, "target: the new view 3 ms after the kill"));
}

TEST_CASE("bench recovery: what a job can't do is said once", "[exhaustive]") {
  const auto result = run_program({DETOURRUN_PATH, "--no-preload", "--oversubscribe", "-np", "2",
                                   DETOUR_PROGRAM_PATH, "bench", "--recovery", "--kills", "2"},
                                  with_mpi);
  INFO(result.err);
  REQUIRE(result.exit_status == 2);
  const std::string complaint =
      "detour: a job of 2 ranks can't lose 2: more ranks, or fewer --kills";
  REQUIRE(contains(result.err, complaint));
  REQUIRE(result.err.find(complaint) == result.err.rfind(complaint));
}

TEST_CASE("bench recovery: a job that fails is told of in its own words", "[exhaustive]") {
  ProgramOptions options = with_mpi;
  options.environment.emplace_back("DETOUR_MESH=1x1");
  const auto complaint = complaint_of("bench --recovery --ranks 2 --kills 1 -m 64K", 1, options);
  REQUIRE(contains(complaint, "a job ended with status 1: "));
  REQUIRE(contains(complaint, "the mesh 1x1 has 1 cell"));
}

TEST_CASE("bench survivors: a table of those who are left", "[exhaustive]") {
  const auto table =
      output_of("bench --survivors --ranks 4 --kills 1 -m 4K:64K:16 -i 5 -x 1", with_mpi);
  REQUIRE(contains(table, "allreduce: 3 ranks left of 4"));
  REQUIRE(contains(table, "fresh P50  holes/fresh"));
  REQUIRE(contains(table, "\n      65536 "));
  const auto json = nlohmann::json::parse(
      output_of("bench --survivors --ranks 3 --kills 2 -m 4K -i 5 -x 1 --json", with_mpi));
  REQUIRE(json["ranks"] == 1);
  REQUIRE(json["lost_ranks"] == 2);
  REQUIRE(json["rows"][0]["over_twin"]["allowed"] == 1.05);
}
