#include "compare/report.hpp"

#include <nlohmann/json.hpp>

#include "compare/comparison_json.hpp"
#include "compare/plots.hpp"
#include "comparisons.hpp"
#include "exit_status.hpp"
#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/xml_check.hpp"

using namespace detour::tool;
using detour::test::contains;
using detour::test::made_up;

namespace {

Comparison gloo(int rank_count) {
  Comparison comparison{.rank_count = rank_count, .mpi_version = "Gloo 1"};
  comparison.series = {{"Gloo", Role::outsider, Buffers::any}};
  comparison.sizes = {{.bytes = 4, .medians = {Median{false, 5, 77, 70, 80}}, .standings = {}}};
  return comparison;
}

}  // namespace

TEST_CASE("report: a comparison survives its JSON") {
  Comparison comparison = made_up(2, true, {4, 65536}, 1.5);
  comparison.sizes[0].medians[1] = std::nullopt;
  comparison.sizes[0].standings.pop_back();
  comparison.sizes[0].standings[0].to_limit = std::nullopt;
  comparison.sizes[1].medians[2]->of_trial = true;
  comparison.sizes[1].standings[1].best_peer_to_exchange = detour::test::exactly(1.25);
  comparison.sizes[1].standings[1].limit_to_exchange = detour::test::exactly(0.75);
  comparison.notes = {"a note"};
  const std::string text = to_json(comparison);
  const Comparison again = comparison_from_json("file", text);
  REQUIRE(to_json(again) == text);
  REQUIRE(again.in_place);
  REQUIRE(!again.sizes[0].medians[1]);
  REQUIRE(again.sizes[1].medians[2]->of_trial);
  REQUIRE(!again.sizes[1].medians[3]->of_trial);
  REQUIRE(again.sizes[1].medians[3]->us == Approx(3));
  REQUIRE(again.sizes[0].standings.size() == 1);
  REQUIRE(!again.sizes[1].standings[0].best_peer_to_exchange);
  REQUIRE(again.sizes[1].standings[1].best_peer_to_exchange->ratio == Approx(1.25));
  REQUIRE(again.sizes[1].standings[1].limit_to_exchange->ratio == Approx(0.75));
}

TEST_CASE("report: what is no comparison is named") {
  for (const char* text : {"", "{}", "[1]", "{\"ranks\": \"two\"}"}) {
    REQUIRE_THROWS_AS(comparison_from_json("some.json", text), BadInput);
  }
  try {
    comparison_from_json("some.json", "{}");
  } catch (const BadInput& error) {
    REQUIRE(contains(error.what(), "some.json is no comparison"));
  }
}

TEST_CASE("report: outsiders stand beside the others of the same job, and are nobody's best peer") {
  Report report;
  add(report, made_up(2, false, {4, 65536}, 1.5));
  add(report, made_up(4, false, {4}, 1.5));
  add(report, gloo(2));
  REQUIRE(report.comparisons.size() == 2);
  const Comparison& two = report.comparisons[0];
  REQUIRE(two.series.size() == 6);
  REQUIRE(two.sizes[0].medians[5]->us == 77);
  REQUIRE(two.sizes[1].medians.size() == 6);
  REQUIRE(!two.sizes[1].medians[5]);
  REQUIRE(two.series[*fastest(two, two.sizes[0], Role::peer)].name == "quick");
}

TEST_CASE("report: the document has the machine, the targets, and every figure") {
  Report report{.facts = {{"CPU", "a fast one"}}, .comparisons = {}, .notes = {"MPICH is missing"}};
  add(report, made_up(2, false, {4, 65536}, 1.5));
  add(report, gloo(2));
  const std::string text = to_markdown(report);
  REQUIRE(contains(text, "| CPU | a fast one |\n"));
  REQUIRE(contains(text, "MPICH is missing.\n"));
  REQUIRE(contains(text, "(ratios-out-of-place.svg)"));
  REQUIRE(!contains(text, "(ratios-in-place.svg)"));
  REQUIRE(contains(text, "(times-2-ranks-out-of-place.svg)"));
  REQUIRE(contains(text, "targets hold."));
  REQUIRE(contains(text, "| 4 bytes | quick | 3.00 | 2.25 | 2.00 | 1.50 (1.50 to 1.50) | 1.50 |"));
  REQUIRE(contains(text, "| 77.00 |\n"));
  const auto json = nlohmann::json::parse(to_json(report));
  REQUIRE(json["facts"]["CPU"] == "a fast one");
  REQUIRE(json["comparisons"][0]["sizes"][0]["medians"]["Gloo"]["us"] == 77);
}

TEST_CASE("report: plots are well-formed, of whatever was measured") {
  Comparison comparison = made_up(2, false, {4, 65536}, 1.5);
  comparison.series[2].name = "<&>";
  const std::string times = times_svg(comparison);
  REQUIRE(detour::test::find_xml_defect(times) == std::nullopt);
  REQUIRE(contains(times, "2 ranks, out of place"));
  REQUIRE(contains(times, "&lt;&amp;&gt;"));
  const std::string ratios = ratios_svg(std::vector{comparison}, false);
  REQUIRE(detour::test::find_xml_defect(ratios) == std::nullopt);
  REQUIRE(contains(ratios, "2 ranks, Detour_Alloc"));
  for (const std::string& empty :
       {times_svg(Comparison{}), ratios_svg(std::vector{comparison}, true)}) {
    REQUIRE(detour::test::find_xml_defect(empty) == std::nullopt);
    REQUIRE(!contains(empty, "nan"));
  }
}

TEST_CASE("report: a plot has one line for all forms of an exchange") {
  Comparison comparison = made_up(2, false, {4, 65536}, 1.5);
  for (const char* name : {"bare exchange", "bare exchange of all"}) {
    comparison.series.push_back({name, Role::exchange, Buffers::any});
    for (ComparedSize& size : comparison.sizes) size.medians.push_back(Median{false, 5, 2, 2, 2});
  }
  const std::string times = times_svg(comparison);
  REQUIRE(contains(times, ">bare exchange<"));
  REQUIRE(!contains(times, "of all"));
  REQUIRE(!contains(times, "bare mapped sum"));
}

TEST_CASE("report: this machine has a description, and a cache") {
  const auto facts = describe_machine();
  REQUIRE(facts.size() == 7);
  for (const Fact& fact : facts) {
    INFO(fact.name);
    REQUIRE(!fact.value.empty());
  }
  REQUIRE(last_cache_bytes() >= 32 << 10);
}
