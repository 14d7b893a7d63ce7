// `detour bench --buckets`: which buckets there are, what is said of them, and whole runs.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "bench/bucket_options.hpp"
#include "bench/data_formats.hpp"
#include "bench/text_table.hpp"
#include "bench_program.hpp"
#include "bench_report_facts.hpp"

using namespace detour::test;
using namespace detour::tool;

namespace {

constexpr std::uint64_t mebibyte = 1 << 20;

BucketOptions usual_buckets() {
  return {.count = 50, .bounds = {mebibyte, 25 * mebibyte}, .may_shrink = true};
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
}

BenchReport bucket_report() {
  BenchReport report = facts_of_four_ranks();
  report.buckets = {.sizes_bytes = {mebibyte, 3 * mebibyte}, .compute_us = 0};
  report.series = {{"detour", SeriesRole::subject, Handing::nonblocking},
                   {"detour", SeriesRole::subject, Handing::blocking},
                   {"mpi", SeriesRole::mpi, Handing::nonblocking},
                   {"mpi", SeriesRole::mpi, Handing::blocking}};
  report.sizes = {{4 * mebibyte,
                   10,
                   {Latency{2e3, 1e3, 3e3, 2e3, 4e3}, Latency{4e3, 3e3, 5e3, 4e3, 6e3},
                    Latency{9e3, 8e3, 9e3, 9e3, 9e3}, Latency{6e3, 6e3, 6e3, 6e3, 6e3}},
                   {Ratio{0.5, 0.4, 0.6, -2e6}, std::nullopt, Ratio{1.5, 1.4, 1.6, 3e6}}}};
  return report;
}

}  // namespace

TEST_CASE("bench buckets: sizes are drawn alike every time, within their bounds") {
  const BucketOptions options = usual_buckets();
  const BucketSizes sizes = choose_bucket_sizes(options, 4, ~std::uint64_t{0});
  REQUIRE(sizes.bytes.size() == 50);
  REQUIRE(sizes.divisor == 1);
  for (const std::uint64_t bytes : sizes.bytes) {
    REQUIRE(bytes >= mebibyte);
    REQUIRE(bytes <= 25 * mebibyte);
    REQUIRE(bytes % 4 == 0);
  }
  REQUIRE(sum_of(sizes.bytes) > 500 * mebibyte);
  REQUIRE(sum_of(sizes.bytes) < 800 * mebibyte);
  REQUIRE(choose_bucket_sizes(options, 4, ~std::uint64_t{0}).bytes == sizes.bytes);
  BucketOptions others = options;
  others.seed = 2;
  REQUIRE(choose_bucket_sizes(others, 4, ~std::uint64_t{0}).bytes != sizes.bytes);
  others.bounds = {10, 10};
  REQUIRE(choose_bucket_sizes(others, 8, 0).bytes == std::vector<std::uint64_t>(50, 8));
  others.may_shrink = false;
  REQUIRE(choose_bucket_sizes(others, 8, 0).bytes == std::vector<std::uint64_t>(50, 16));
}

TEST_CASE(
    "bench buckets: where memory is short, sizes nobody asked for are halved until they fit") {
  BucketOptions options = usual_buckets();
  const auto usual = choose_bucket_sizes(options, 4, ~std::uint64_t{0}).bytes;
  const BucketSizes quarters = choose_bucket_sizes(options, 4, sum_of(usual) / 4 + 1000);
  REQUIRE(quarters.divisor == 4);
  for (std::size_t index = 0; index < usual.size(); ++index) {
    REQUIRE(quarters.bytes[index] % 4 == 0);
    REQUIRE(quarters.bytes[index] + 4 > usual[index] / 4);
    REQUIRE(quarters.bytes[index] < usual[index] / 4 + 4);
  }
  REQUIRE(choose_bucket_sizes(options, 4, 0).divisor == 1024);
  options.may_shrink = false;
  REQUIRE(choose_bucket_sizes(options, 4, 0).bytes == usual);
}

TEST_CASE("bench buckets: who is compared with whom") {
  const BenchReport report = bucket_report();
  REQUIRE(report.series[0].text() == "detour nonblocking");
  REQUIRE(twin_of(report.series, 0) == 1);
  REQUIRE(!twin_of(report.series, 1));
  REQUIRE(twin_of(report.series, 2) == 3);
  const SizeResult& step = report.sizes[0];
  REQUIRE(latency_of(SeriesRole::mpi, report, step, Handing::nonblocking)->p50_us == 9e3);
  REQUIRE(latency_of(SeriesRole::mpi, report, step, Handing::blocking)->p50_us == 6e3);
  REQUIRE(best_mpi(report, step)->p50_us == 6e3);
  REQUIRE(!latency_of(SeriesRole::mpi, report, step));
}

TEST_CASE("bench buckets: a table with a line for each series") {
  BenchReport report = bucket_report();
  const std::string head = table_head(report);
  REQUIRE(contains(head, "allreduce: 4 ranks, sum of float, memory from malloc, validated\n"));
  REQUIRE(contains(head, "# a step: 2 buckets, 1.0 MiB to 3.0 MiB each, 4.0 MiB in all\n"));
  const std::string headings = head.substr(head.rfind('\n', head.size() - 2) + 1);
  REQUIRE(headings ==
          "Series                   Avg       P50       P99     algbw      MPI/this best MPI/this "
          "this/blocking    from      to\n");
  const std::string rows = table_rows(report, report.sizes[0]);
  REQUIRE(rows ==
          "detour nonblocking      2.00      2.00      4.00     2.097          4.50          3.00 "
          "        0.500   0.400   0.600\n"
          "detour blocking         4.00      4.00      6.00     1.049          1.50          1.50 "
          "            -       -       -\n"
          "mpi nonblocking         9.00      9.00      9.00     0.466             -             - "
          "        1.500   1.400   1.600\n"
          "mpi blocking            6.00      6.00      6.00     0.699             -             - "
          "            -       -       -\n");

  report.buckets->compute_us = 500;
  REQUIRE(contains(table_head(report), "4.0 MiB in all; 500.0 us of computing before each\n"));
  REQUIRE(contains(table_head(report), "P99   exposed     algbw"));
  REQUIRE(contains(table_rows(report, report.sizes[0]), "4.00      1.00     2.097"));

  report.series.resize(2);
  REQUIRE(!contains(table_head(report), "MPI"));
}

TEST_CASE("bench buckets: JSON and CSV have the buckets and all ratios") {
  const BenchReport report = bucket_report();
  const auto json = nlohmann::json::parse(to_json(report));
  REQUIRE(json["buckets"]["count"] == 2);
  REQUIRE(json["buckets"]["bytes"][1] == 3 * mebibyte);
  REQUIRE(json["buckets"]["compute_us"] == 0);
  REQUIRE(json["rows"].size() == 4);
  REQUIRE(json["rows"][0]["series"] == "detour nonblocking");
  REQUIRE(json["rows"][0]["bytes"] == 4 * mebibyte);
  REQUIRE(json["rows"][0]["mpi_over_this"] == 4.5);
  REQUIRE(json["rows"][0]["best_mpi_over_this"] == 3.0);
  REQUIRE(json["rows"][0]["over_blocking"]["ratio"] == 0.5);
  REQUIRE(!json["rows"][0]["over_blocking"].contains("target"));
  REQUIRE(!json["rows"][1].contains("over_blocking"));
  REQUIRE(json["rows"][1]["mpi_over_this"] == 1.5);

  const auto lines = lines_of(to_csv(report));
  REQUIRE(lines.size() == 5);
  REQUIRE(lines[0].ends_with(
      ",mpi_over_this,best_mpi_over_this,over_blocking,over_blocking_low,over_blocking_high"));
  REQUIRE(lines[1].ends_with(",4.5,3,0.5,0.4,0.6"));
  REQUIRE(lines[2].ends_with(",1.5,1.5,,,"));
  for (const std::string& line : lines) {
    REQUIRE(std::count(line.begin(), line.end(), ',') ==
            std::count(lines[0].begin(), lines[0].end(), ','));
  }
}

TEST_CASE("bench buckets: bad input in a line of its own words", "[exhaustive]") {
  REQUIRE(complaint_of("bench --buckets 0", 2) ==
          "--buckets is a whole number from 1 to 10000, not '0'");
  REQUIRE(complaint_of("bench --buckets ''", 2) ==
          "--buckets is a whole number from 1 to 10000, not ''");
  REQUIRE(complaint_of("bench --buckets=", 2) == "--buckets needs a value: --buckets COUNT");
  REQUIRE(complaint_of("bench --buckets --buckets 3", 2) == "--buckets is given twice");
  REQUIRE(complaint_of("bench --buckets 3 4", 2) == "unexpected word '4'");
  REQUIRE(complaint_of("bench --buckets -m 1K:4K:2", 2) == "-m is SIZE or FROM:TO, not '1K:4K:2'");
  REQUIRE(contains(complaint_of("bench --buckets -m 16G", 2), "2147483647 elements of float"));
  REQUIRE(complaint_of("bench --buckets --compute-us -1", 2) ==
          "--compute-us is a whole number from 0 to 10000000, not '-1'");
  REQUIRE(complaint_of("bench --compute-us 5", 2) == "--compute-us is for --buckets");
  REQUIRE(complaint_of("bench --seed 5", 2) == "--seed is for --recovery and --buckets");
  REQUIRE(complaint_of("bench --buckets --svg x.svg", 2) ==
          "--buckets and --svg can't be had at once");
  REQUIRE(complaint_of("bench --buckets --compare noft", 2) ==
          "--buckets and --compare noft can't be had at once");
  const auto complaint = complaint_of("bench --buckets 10000 -m 4G", 2);
  REQUIRE(
      contains(complaint, "a step of 10000 buckets needs buffers of 80000.0 GiB for the 1 rank"));
}

TEST_CASE("bench buckets: alone, with as many buckets as usual") {
  const auto lines = lines_of(output_of("bench --buckets -m 1K -i 2 -x 1"));
  REQUIRE(contains(lines[1], "# a step: 50 buckets, 1.0 KiB to 1.0 KiB each, 50.0 KiB in all"));
  REQUIRE(lines.size() == 4 + 2);
}

TEST_CASE("bench buckets: a step of Detour's beside MPI's") {
  const auto lines = lines_of(
      bench_output(3, "--buckets 8 -m 4:300K -i 5 -x 1 --compare mpi --compute-us 20 --seed 4"));
  REQUIRE(lines.size() == 4 + 4);
  REQUIRE(contains(lines[0], "3 ranks"));
  REQUIRE(contains(lines[1], "8 buckets, "));
  REQUIRE(lines[4].starts_with("detour nonblocking"));
  REQUIRE(lines[5].starts_with("detour blocking"));
  REQUIRE(lines[6].starts_with("mpi nonblocking"));
  REQUIRE(lines[7].starts_with("mpi blocking"));
}

TEST_CASE("bench buckets: in place, memory of the library, types, policies, over MPI") {
  bench_output(2, "--buckets=6 -m 1K:200K -i 3 -x 1 --inplace --compare mpi");
  bench_output(2, "--buckets 6 -m 1K:200K -i 3 -x 1 --alloc detour --type double --op max");
  bench_output(3, "--buckets 6 -m 1K:200K -i 3 -x 1 --alloc detour --inplace --type bfloat16");
  bench_output(2, "--buckets 6 -m 1K:200K -i 3 -x 1 --transport mpi --compare mpi");
  const auto json = nlohmann::json::parse(
      bench_output(2, "--buckets 6 -m 1K:200K -i 3 -x 1 --policy ring,tree --json --limit-gbs 7"));
  REQUIRE(json["rows"].size() == 4);
  REQUIRE(json["rows"][2]["series"] == "tree nonblocking");
  REQUIRE(json["rows"][2]["over_blocking"]["ratio"] > 0.0);
  REQUIRE(json["rows"][3]["series"] == "tree blocking");
}

TEST_CASE("bench buckets: buffers of the library may be larger than what it usually has",
          "[exhaustive]") {
  // It has 256 MiB.
  output_of("bench --buckets 3 -m 50M -i 1 -x 0 --alloc detour");
  const auto complaint = complaint_of("bench --buckets 3 -m 50M --alloc detour", 2,
                                      {.environment = {"DETOUR_MEMORY_BYTES=256M"}});
  REQUIRE(contains(complaint, "rank 0 gets no memory for buffers of 157286400 bytes"));
}
