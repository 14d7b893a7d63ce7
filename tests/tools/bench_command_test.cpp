// `detour bench` as a whole, alone and under mpirun.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench_program.hpp"
#include "support/xml_check.hpp"

using namespace detour::test;

namespace {

// A path that no other test uses; gone afterwards.
class TemporaryFile {
 public:
  explicit TemporaryFile(const char* name)
      : path_(std::filesystem::temp_directory_path() /
              ("detour-bench-" + std::to_string(::getpid()) + name)) {}
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return path_.string(); }
  std::string text() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("bench alone is a job of one rank") {
  const auto lines = lines_of(output_of("bench -m 4:64 -i 3 -x 1"));
  REQUIRE(lines.size() == 3 + 5);
  REQUIRE(contains(lines[0], "1 rank, sum of float"));
  REQUIRE(contains(lines[3], "          4 "));
}

TEST_CASE("bench under mpirun: one table for all ranks") {
  for (const int rank_count : {1, 2, 3}) {
    const auto lines = lines_of(bench_output(rank_count, "-m 4:64K:16 -i 4 -x 2 --compare mpi"));
    REQUIRE(lines.size() >= 3 + 4);
    REQUIRE(contains(lines[0], std::to_string(rank_count) + " rank"));
    REQUIRE(contains(lines[2], "MPI/Detour"));
    REQUIRE(lines[6].starts_with("      16384 "));
  }
}

TEST_CASE("bench under mpirun: a twin without fault tolerance beside it") {
  const auto lines = lines_of(bench_output(2, "-m 1K:64K:64 -i 20 -x 2 --inplace --compare noft"));
  REQUIRE(lines.size() == 3 + 2);
  REQUIRE(contains(lines[2], "Detour/noft"));
  REQUIRE(contains(lines[4], "    1.400    1.470 "));
}

TEST_CASE("bench under mpirun: types, operations, in place, memory of the library") {
  bench_output(3, "-m 64:4K:8 -i 3 -x 1 --type long --op bxor --inplace --alloc detour");
  bench_output(2, "-m 64:4K:8 -i 3 -x 1 --type double --op prod --alloc detour");
  bench_output(3, "-m 64:4K:8 -i 3 -x 1 --type bfloat16 --op sum");
  bench_output(2, "-m 64:4K:8 -i 3 -x 1 --type float16 --op max --inplace --no-validate");
}

TEST_CASE("bench under mpirun: JSON and CSV name every series", "[exhaustive]") {
  const auto json = nlohmann::json::parse(
      bench_output(2, "-m 256 -i 5 -x 1 --json --compare mpi --policy direct,tree --limit-gbs 7"));
  REQUIRE(json["ranks"] == 2);
  REQUIRE(json["limit_gbs"] == 7.0);
  REQUIRE(json["rows"].size() + json["notes"].size() >= 3);
  REQUIRE(json["rows"].back()["series"] == "mpi");
  REQUIRE(json["rows"].back()["iterations"] == 5);
  REQUIRE(json["rows"].back()["p50_us"] > 0.0);

  const TemporaryFile file(".csv");
  REQUIRE(bench_output(2, "-m 256 -i 5 -x 1 --csv -o " + file.path()) == "");
  REQUIRE(lines_of(file.text()).size() == 2);
}

TEST_CASE("bench under mpirun: a plot beside the table, or instead of it") {
  const TemporaryFile file(".svg");
  const auto table = bench_output(2, "-m 64:4K:8 -i 3 -x 1 --svg " + file.path());
  REQUIRE(contains(table, "Size"));
  REQUIRE(find_xml_defect(file.text()) == std::nullopt);
  REQUIRE(contains(file.text(), "memory limit"));
  const auto plot = output_of("bench -m 64:4K:8 -i 3 -x 1 --limit-gbs 10 --plot bandwidth --svg -");
  REQUIRE(find_xml_defect(plot) == std::nullopt);
}

TEST_CASE("bench under mpirun: bad input is said once, by one rank") {
  for (const char* arguments : {"-m 64:4", "--frob", "-m 4 -o /no/such/folder/file"}) {
    const auto result = run_bench(3, arguments);
    INFO(arguments << "\n" << result.err);
    REQUIRE(result.exit_status == 2);
    REQUIRE(result.out == "");
    REQUIRE(complaints_of(result).size() == 1);
  }
}

TEST_CASE("bench under mpirun: help is printed once") {
  const auto help = bench_output(2, "--help");
  REQUIRE(help.find("--message-size") == help.rfind("--message-size"));
}

TEST_CASE("bench: bad input in a line of its own words", "[exhaustive]") {
  REQUIRE(complaint_of("bench -i 0", 2) == "-i is a whole number from 1 to 100000000, not '0'");
  REQUIRE(complaint_of("bench -i 5 --time 1", 2) == "-i and --time can't be had at once");
  REQUIRE(complaint_of("bench --time -1", 2) ==
          "--time has to be a finite number, more than zero, not '-1'");
  REQUIRE(complaint_of("bench --type flaot", 2) == "unknown type 'flaot'; did you mean 'float'?");
  REQUIRE(complaint_of("bench --op band", 2) == "--op band is for integers, not for float");
  REQUIRE(complaint_of("bench --compare nccl", 2) == "--compare is mpi or noft, not 'nccl'");
  REQUIRE(complaint_of("bench --compare mpi --type float16", 2) ==
          "MPI has no float16: leave --compare out");
  REQUIRE(complaint_of("bench --compare noft --policy ring,tree", 2) ==
          "--compare noft is for one policy at a time");
  REQUIRE(complaint_of("bench --policy rign", 2) == "unknown policy 'rign'; did you mean 'ring'?");
  REQUIRE(contains(complaint_of("bench --transport pigeon", 2), "'shm' or 'mpi', not 'pigeon'"));
  REQUIRE(complaint_of("bench --policy ring,ring", 2) == "--policy names 'ring' twice");
  REQUIRE(complaint_of("bench --alloc stack", 2) == "--alloc is malloc or detour, not 'stack'");
  REQUIRE(complaint_of("bench --csv --json", 2) == "--csv and --json can't be had at once");
  REQUIRE(contains(complaint_of("bench --svg - --json", 2), "takes standard output for itself"));
  REQUIRE(complaint_of("bench --plot bandwidth", 2) == "--plot needs --svg");
  REQUIRE(contains(complaint_of("bench --limit-gbs 5", 2), "--svg and --json only"));
}

TEST_CASE("bench: sizes that can't be had are refused before they are measured") {
  REQUIRE(contains(complaint_of("bench -m 16G", 2), "2147483647 elements of float"));
  REQUIRE(contains(complaint_of("bench -m 15E", 2), "is no size"));
}
