#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/data_formats.hpp"
#include "bench/log_axis.hpp"
#include "bench/plot_svg.hpp"
#include "bench/text_table.hpp"
#include "bench_report_facts.hpp"
#include "detour_program.hpp"
#include "support/xml_check.hpp"

using namespace detour::tool;
using detour::test::contains;

namespace {

BenchReport example_report() {
  BenchReport report = detour::test::facts_of_four_ranks();
  report.series = {{"ring"}, {"tree"}, {"mpi", SeriesRole::mpi}};
  report.sizes = {
      {1000, 10, {Latency{2, 1, 3, 2.5, 4}, Latency{4, 3, 5, 5, 6}, Latency{10, 9, 11, 10, 12}}},
      {2000, 10, {Latency{4, 3, 5, 4, 8}, std::nullopt, Latency{10, 9, 11, 12, 12}}}};
  report.notes = {"tree is left out at 2000 bytes: no\nreason"};
  return report;
}

}  // namespace

TEST_CASE("bench table: a row per policy, with MPI beside it") {
  const BenchReport report = example_report();
  REQUIRE(contains(table_head(report), "Detour 1.2.3 allreduce: 4 ranks, sum of float, memory"));
  REQUIRE(contains(table_head(report), "Policy        Avg        Min        Max        P50"));
  REQUIRE(contains(table_head(report), "MPI P50  MPI/Detour\n"));
  const std::string rows = table_rows(report, report.sizes[0]);
  REQUIRE(rows ==
          "       1000    ring       2.00       1.00       3.00       2.50       4.00    0.500    "
          "0.750      10.00        4.00\n"
          "       1000    tree       4.00       3.00       5.00       5.00       6.00    0.250    "
          "0.375      10.00        2.00\n");
  REQUIRE(!contains(table_rows(report, report.sizes[1]), "tree"));
  REQUIRE(table_notes(report) == "# note: tree is left out at 2000 bytes: no reason\n");
}

TEST_CASE("bench table: headings stand above their columns") {
  BenchReport report = example_report();
  report.series = {{"detour"}};
  report.sizes = {{1000, 10, {Latency{2, 1, 3, 2.5, 4}}}};
  const std::string head = table_head(report);
  const std::string headings = head.substr(head.rfind('\n', head.size() - 2) + 1);
  const std::string row = table_rows(report, report.sizes[0]);
  REQUIRE(headings.size() == row.size());
  REQUIRE(!contains(headings, "Policy"));
  REQUIRE(!contains(headings, "MPI"));
}

TEST_CASE("bench table: a size that only MPI can do shows") {
  BenchReport report = example_report();
  report.sizes[0].latencies[0] = report.sizes[0].latencies[1] = std::nullopt;
  const std::string rows = table_rows(report, report.sizes[0]);
  REQUIRE(contains(rows, "10.00"));
  REQUIRE(std::count(rows.begin(), rows.end(), '\n') == 1);
}

TEST_CASE("bench CSV: one line for every latency, with all digits") {
  BenchReport report = example_report();
  report.series[0].name = "a \"b\", c";
  report.sizes[0].latencies[0]->avg_us = 0.1;
  const std::string csv = to_csv(report);
  REQUIRE(std::count(csv.begin(), csv.end(), '\n') == 6);
  REQUIRE(csv.starts_with("bytes,series,iterations,avg_us,"));
  REQUIRE(contains(csv, "\n1000,\"a \"\"b\"\", c\",10,0.1,1,3,2.5,4,10,15,4\n"));
  REQUIRE(contains(csv, "\n2000,mpi,10,10,9,11,12,12,0.2,"));
}

TEST_CASE("bench JSON: facts, rows and notes") {
  BenchReport report = example_report();
  report.limit_gbs = 12.5;
  const auto json = nlohmann::json::parse(to_json(report));
  REQUIRE(json["ranks"] == 4);
  REQUIRE(json["limit_gbs"] == 12.5);
  REQUIRE(json["rows"].size() == 5);
  REQUIRE(json["rows"][0]["series"] == "ring");
  REQUIRE(json["rows"][0]["p50_us"] == 2.5);
  REQUIRE(json["rows"][0]["mpi_over_this"] == 4.0);
  REQUIRE(json["rows"][0]["busbw_gbs"] == 0.75);
  REQUIRE(json["notes"].size() == 1);
  report.notes = {"\xff\xfe"};
  REQUIRE_NOTHROW(nlohmann::json::parse(to_json(report)));
}

namespace {

BenchReport twins(bool in_place) {
  BenchReport report = example_report();
  report.in_place = in_place;
  report.twin = TwinKind::without_fault_tolerance;
  report.series = {{"detour"}, {"noft", SeriesRole::twin}};
  report.sizes = {
      {1000, 10, {Latency{2, 1, 3, 2.5, 4}, Latency{2, 1, 3, 2, 4}}, {Ratio{1.25, 1.2, 1.3, 500}}},
      {1 << 20, 10, {Latency{2, 1, 3, 2, 4}, Latency{2, 1, 3, 2, 4}}, {Ratio{1, 0.99, 1.01, 2}}},
      {2 << 20, 10, {Latency{2, 1, 3, 2, 4}, std::nullopt}, {}}};
  return report;
}

}  // namespace

TEST_CASE("bench table: a twin without fault tolerance stands beside Detour, with its interval") {
  for (const bool in_place : {false, true}) {
    const BenchReport report = twins(in_place);
    const std::string head = table_head(report);
    const std::string headings = head.substr(head.rfind('\n', head.size() - 2) + 1);
    const std::string small = table_rows(report, report.sizes[0]);
    const std::string large = table_rows(report, report.sizes[1]);
    REQUIRE(headings.size() == small.size());
    REQUIRE(headings.size() == large.size());
    REQUIRE(contains(headings, "noft P50  Detour/noft   from     to    more ns"));
    REQUIRE(contains(small, "2.00        1.250  1.200  1.300        500"));
    REQUIRE(small.ends_with("1.100   missed\n"));
    REQUIRE(contains(large, "1.000  0.990  1.010          -"));
    REQUIRE(large.ends_with(in_place ? "1.182    1.241  reached\n" : "1.030  reached\n"));
    REQUIRE(contains(headings, "traffic") == in_place);
    REQUIRE(contains(table_rows(report, report.sizes[2]), "2097152"));
  }
}

TEST_CASE("bench table: a twin without losses has an allowance of its own") {
  BenchReport report = twins(true);
  report.twin = TwinKind::without_losses;
  REQUIRE(contains(table_head(report), "fresh P50  holes/fresh"));
  REQUIRE(!contains(table_head(report), "traffic"));
  REQUIRE(table_rows(report, report.sizes[0]).ends_with("1.050   missed\n"));
}

TEST_CASE("bench CSV and JSON: the ratio to a twin is in the row of its series") {
  const BenchReport report = twins(false);
  const std::string csv = to_csv(report);
  REQUIRE(contains(csv, "mpi_over_this,over_twin,over_twin_low,over_twin_high,over_twin_ns,"));
  REQUIRE(contains(csv, ",1.25,1.2,1.3,500,1.1,missed\n"));
  REQUIRE(contains(csv, ",noft,"));
  const auto comma_count = [](const std::string& line) {
    return std::count(line.begin(), line.end(), ',');
  };
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) REQUIRE(comma_count(line) == 16);
  const auto json = nlohmann::json::parse(to_json(report));
  REQUIRE(json["rows"][0]["over_twin"]["ratio"] == 1.25);
  REQUIRE(json["rows"][0]["over_twin"]["target"] == "missed");
  REQUIRE(!json["rows"][1].contains("over_twin"));
}

TEST_CASE("bench axis: powers mark it, values lie between") {
  const LogAxis axis(4, 1000, 10, 0, 300);
  REQUIRE(axis.lowest() == Approx(1));
  REQUIRE(axis.highest() == Approx(1000));
  REQUIRE(axis.position(1) == Approx(0));
  REQUIRE(axis.position(10) == Approx(100));
  REQUIRE(axis.position(1000) == Approx(300));
  REQUIRE(axis.marks(10).size() == 4);
  REQUIRE(axis.marks(2).size() == 2);
  const LogAxis single(8, 8, 2, 0, 100);
  REQUIRE(single.marks(10).size() == 2);
  REQUIRE(size_mark(4) == "4 B");
  REQUIRE(size_mark(65536) == "64 KiB");
  REQUIRE(figure_mark(0.01) == "0.01");
}

TEST_CASE("bench plot: a line and a legend entry per series, and the limit") {
  BenchReport report = example_report();
  report.series[0].name = "<ring> & co";
  for (const PlotKind kind : {PlotKind::latency, PlotKind::bandwidth}) {
    report.limit_gbs = std::nullopt;
    const std::string plain = plot_svg(report, kind);
    REQUIRE(detour::test::find_xml_defect(plain) == std::nullopt);
    REQUIRE(contains(plain, "&lt;ring&gt; &amp; co"));
    REQUIRE(contains(plain, ">tree<"));
    REQUIRE(contains(plain, ">mpi<"));
    REQUIRE(!contains(plain, "stroke-dasharray"));
    REQUIRE(contains(plain, kind == PlotKind::latency ? "Latency (us)" : "Bandwidth (GB/s)"));
    report.limit_gbs = 12.5;
    const std::string limited = plot_svg(report, kind);
    REQUIRE(detour::test::find_xml_defect(limited) == std::nullopt);
    REQUIRE(contains(limited, "stroke-dasharray"));
    REQUIRE(contains(limited, "12.5 GB/s"));
    REQUIRE(!contains(limited, "nan"));
    REQUIRE(!contains(limited, "inf"));
  }
}

TEST_CASE("bench plot: nothing measured, or nothing to see of it, is drawn all the same") {
  BenchReport report = example_report();
  report.limit_gbs = 1;
  report.sizes = {{8, 1, {Latency{}, Latency{}, Latency{}}}};
  REQUIRE(!contains(plot_svg(report, PlotKind::latency), "nan"));
  report.sizes.clear();
  for (const PlotKind kind : {PlotKind::latency, PlotKind::bandwidth}) {
    REQUIRE(detour::test::find_xml_defect(plot_svg(report, kind)) == std::nullopt);
  }
}
