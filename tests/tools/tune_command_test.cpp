// `detour tune` as a whole: options, and short runs in a job and by jobs of its own.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "bench_program.hpp"
#include "selection/selection_table.hpp"

using namespace detour;
using namespace detour::test;

namespace {

const ProgramOptions with_mpi{
    .environment = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"}};

ProgramResult run_tune(int rank_count, const std::vector<std::string>& arguments) {
  std::vector<std::string> words{
      MPIEXEC_PATH, "--oversubscribe",          "--bind-to",         "none",
      "-np",        std::to_string(rank_count), DETOUR_PROGRAM_PATH, "tune"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_program(words, with_mpi);
}

// A table for so many ranks, from this size on, or from a larger one.
void check_table(const std::string& text, int rank_count, std::uint64_t bytes) {
  INFO(text);
  const auto table = SelectionTable::parse(text, "tuned");
  REQUIRE(table.ok());
  const auto built_in_count = SelectionTable::built_in().lines().size();
  REQUIRE(table.value().lines().size() > built_in_count);
  const SelectionLine& first = table.value().lines()[built_in_count];
  REQUIRE(first.operation == CallKind::allreduce);
  REQUIRE(first.nodes == NodeLayout::one);
  REQUIRE(first.rank_count_min == rank_count);
  // In so short a time it may be that no way was among the fastest both out of place and in place: then the size is left out.
  REQUIRE(first.bytes_min >= bytes);
  REQUIRE(contains(text, "# CPU: "));
}

}  // namespace

TEST_CASE("tune: bad input in a line of its own words") {
  REQUIRE(complaint_of("tune --ranks 1", 2) == "--ranks is a whole number from 2 to 1024, not '1'");
  REQUIRE(complaint_of("tune --ranks 2,x", 2) ==
          "--ranks is a whole number from 2 to 1024, not 'x'");
  REQUIRE(complaint_of("tune --ranks 4,2,4", 2) == "--ranks names 4 twice");
  REQUIRE(complaint_of("tune -m 4M:1K", 2) == "-m '4M:1K' goes from large to small");
  REQUIRE(contains(complaint_of("tune -m 1K:4M:1", 2), "the factor between sizes"));
  REQUIRE(contains(complaint_of("tune --time 0", 2), "--time"));
  REQUIRE(complaint_of("tune --time 61", 2) == "--time is 60 seconds at most, not '61'");
  REQUIRE(contains(complaint_of("tune --policies rnig", 2), "did you mean 'ring'?"));
  REQUIRE(complaint_of("tune --policies ring,ring", 2) == "--policies names 'ring' twice");
  REQUIRE(contains(complaint_of("tune --rank 2", 2), "did you mean '--ranks'?"));
  REQUIRE(contains(complaint_of("tune", 2, {.environment = {"DETOUR_CHUNK_BYTES=many"}}),
                   "DETOUR_CHUNK_BYTES"));
}

TEST_CASE("tune: a file that can't be written is known before anything is measured") {
  REQUIRE(complaint_of("tune --ranks 2 -m 1K:16M --time 60 -o /no/file", 2) ==
          "can't write '/no/file': No such file or directory");
}

TEST_CASE("tune: in a job it measures that one") {
  const auto result = run_tune(2, {"-m", "4K:64K:4", "--time", "0.05"});
  INFO(result.err);
  REQUIRE(result.exit_status == 0);
  REQUIRE(result.err == "");
  check_table(result.out, 2, 4 << 10);
}

TEST_CASE("tune: in a job bad input is said once", "[exhaustive]") {
  const std::pair<int, std::vector<std::string>> calls[] = {
      {1, {"-m", "4K"}},
      {2, {"--ranks", "2"}},
      {2, {"-m", "4K", "--time", "0.01", "-o", "/no/file"}}};
  for (const auto& [rank_count, arguments] : calls) {
    const auto result = run_tune(rank_count, arguments);
    INFO(result.err);
    REQUIRE(result.exit_status == 2);
    REQUIRE(result.out == "");
    REQUIRE(complaints_of(result).size() == 1);
  }
}

TEST_CASE("tune: alone it starts jobs itself, and the library takes what it has written",
          "[exhaustive]") {
  const auto path = std::filesystem::temp_directory_path() /
                    ("detour-tune-" + std::to_string(::getpid()) + ".table");
  const std::string arguments =
      "tune --ranks 3,2 -m 4K:64K:16 --time 0.05 --policies direct,ring -o " + path.string();
  const auto result = run_detour(arguments, with_mpi);
  INFO(result.err);
  REQUIRE(result.exit_status == 0);
  REQUIRE(result.out == "");
  REQUIRE(result.err == "");
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  check_table(text, 2, 4 << 10);
  REQUIRE(contains(text, "2 and 3 ranks on one node"));
  ProgramOptions with_table = with_mpi;
  with_table.environment.push_back("DETOUR_TABLE=" + path.string());
  REQUIRE(contains(output_of("info", with_table), "allreduce    one    2      4K"));
  std::filesystem::remove(path);
}

TEST_CASE("tune: progress can be had on a pipe") {
  const auto result =
      run_detour("tune --ranks 2 -m 4K --time 0.02 --policies direct --progress", with_mpi);
  INFO(result.err);
  REQUIRE(result.exit_status == 0);
  REQUIRE(contains(result.err, "2 ranks, size 1 of 1: 4 KiB out of place"));
  REQUIRE(contains(result.err, "2 ranks, size 1 of 1: 4 KiB in place"));
}
