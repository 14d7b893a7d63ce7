// `detour bench --recovery`: what is computed from the times of kills.
#include <nlohmann/json.hpp>

#include "bench/recovery/kill_times.hpp"
#include "bench/recovery/recovery_report.hpp"
#include "detour_program.hpp"

using namespace detour::tool;
using detour::test::contains;

namespace {

// Killed at 1 ms, known after 0.1 ms, agreed 0.5 ms later, and so on.
KillTimes example_kill(bool half_computes = false) {
  return {.rank_count = 8,
          .victim = 3,
          .half_computes = half_computes,
          .broke_attempt = true,
          .fault_free_us = 2000,
          .kill_ns = 1'000'000,
          .entered_ns = 1'400'000,
          .noticed = {1'100'000, 1'300'000},
          .agreed = {1'500'000, 1'600'000},
          .begun = {1'550'000, 1'900'000},
          .completed = {4'000'000, 5'000'000}};
}

RecoveryReport report_of(std::vector<KillTimes> kills) {
  return {.version = "1.2.3",
          .rank_count = 8,
          .bytes = 16 << 20,
          .in_place = true,
          .policy = "ring",
          .kills = std::move(kills)};
}

}  // namespace

TEST_CASE("bench recovery: a kill is one line, and comes back from it") {
  const KillTimes times = example_kill(true);
  const std::string line = to_line(times);
  REQUIRE(!contains(line, "\n"));
  const auto back = kill_times_from(line);
  REQUIRE(back);
  REQUIRE(to_line(*back) == line);
  REQUIRE(back->half_computes);
  REQUIRE(back->agreed.last_ns == 1'600'000);
}

TEST_CASE("bench recovery: other lines are no kills") {
  REQUIRE(!kill_times_from(""));
  REQUIRE(!kill_times_from("hello"));
  REQUIRE(!kill_times_from("[1]"));
  REQUIRE(!kill_times_from("{}"));
  std::string line = to_line(example_kill());
  line.replace(line.find("kill_ns"), 7, "kill_us");
  REQUIRE(!kill_times_from(line));
  line = to_line(example_kill());
  line.replace(line.find("1000000"), 7, "\"later\"");
  REQUIRE(!kill_times_from(line));
}

TEST_CASE("bench recovery: the steps add up to the whole") {
  const RecoveryCost cost = cost_of(example_kill());
  REQUIRE(cost.detection_us == Approx(100));
  REQUIRE(cost.agreement_us == Approx(500));
  REQUIRE(cost.replanning_us == Approx(300));
  REQUIRE(cost.redo_us == Approx(3100));
  REQUIRE(cost.view_us == Approx(500));
  REQUIRE(cost.view_known_us == Approx(600));
  REQUIRE(cost.first_result_us == Approx(3000));
  REQUIRE(cost.result_us == Approx(4000));
  REQUIRE(cost.over_fault_free == Approx(2));
  REQUIRE(cost.detection_us + cost.agreement_us + cost.replanning_us + cost.redo_us ==
          Approx(cost.result_us));
}

TEST_CASE("bench recovery: where half compute, the clock starts when the last is inside") {
  KillTimes times = example_kill(true);
  const RecoveryCost cost = cost_of(times);
  REQUIRE(cost.detection_us == Approx(100));  // needs nobody inside
  REQUIRE(cost.agreement_us == Approx(200));
  REQUIRE(cost.view_known_us == Approx(200));
  REQUIRE(cost.result_us == Approx(3600));
  times.entered_ns = 0;  // all were, before the kill
  REQUIRE(cost_of(times).view_known_us == Approx(600));
}

TEST_CASE("bench recovery: percentiles and targets of those who were inside") {
  KillTimes late = example_kill();
  late.agreed = {4'000'000, 4'500'000};
  late.begun.last_ns = 4'500'000;
  const std::string text = recovery_text(report_of({example_kill(), example_kill(), late}));
  REQUIRE(contains(text, "8 ranks, 16 MiB, in place, policy ring"));
  REQUIRE(contains(text, "all survivors inside the operation: 3 kills, 3 in the middle"));
  REQUIRE(contains(text, "new view                0.500      3.000      3.000"));
  REQUIRE(contains(text, "known to all            0.600      3.500      3.500"));
  REQUIRE(contains(text, "detection               0.100      0.100      0.100"));
  REQUIRE(contains(text, "at the median: 0.500 ms, reached"));
  REQUIRE(contains(text, "at the median: 2.00, reached"));
  REQUIRE(!contains(text, "computing"));
}

TEST_CASE("bench recovery: targets are missed by the median") {
  KillTimes late = example_kill();
  late.agreed = {4'100'000, 4'500'000};
  late.begun.last_ns = 4'500'000;
  late.fault_free_us = 1000;
  const auto report = report_of({example_kill(), late, late});
  REQUIRE(contains(recovery_text(report), "3.100 ms, missed"));
  REQUIRE(contains(recovery_text(report), "4.00, missed"));
  const auto json = nlohmann::json::parse(recovery_json(report));
  REQUIRE(json["inside"]["view_target"] == "missed");
  REQUIRE(json["inside"]["result_target"] == "missed");
  REQUIRE(json["inside"]["view_known_ms"]["p50"] == 3.5);
}

TEST_CASE("bench recovery: those who computed are kept apart") {
  const auto report = report_of({example_kill(), example_kill(true)});
  const std::string text = recovery_text(report);
  REQUIRE(contains(text, "all survivors inside the operation: 1 kill,"));
  REQUIRE(contains(text, "half of the survivors computing: 1 kill,"));
  const auto json = nlohmann::json::parse(recovery_json(report));
  REQUIRE(json["half_computing"]["view_known_ms"]["max"] == 0.2);
  REQUIRE(!json["half_computing"].contains("view_target"));
  REQUIRE(json["kills"].size() == 2);
  REQUIRE(json["kills"][1]["half_computes"] == true);
  REQUIRE(!contains(recovery_text(report_of({example_kill(true)})), "target"));
}
