#include <filesystem>
#include <fstream>
#include <sstream>

#include "detour_program.hpp"
#include "support/text_width.hpp"
#include "support/xml_check.hpp"

using namespace detour::test;
namespace fs = std::filesystem;

TEST_CASE("a plan is drawn, and its figures are printed") {
  const auto text = output_of("plan --mesh 4x4 --policy combs");
  REQUIRE(contains(text, "0 ○━━━○━━━●━━━○"));
  REQUIRE(contains(text, "\npolicy      combs\n"));
  REQUIRE(contains(text, "\nflows       8\n"));
  REQUIRE(contains(text, "\ndepth       10 hops\n"));
  REQUIRE(contains(text, "\npredicted   0.6250 M/B"));
  REQUIRE(contains(text, "0.6250 M/B, proven by a cut into 16 parts with 24 links"));
  REQUIRE(contains(text, "100.0 %\n"));
}

TEST_CASE("without a policy it is auto, and the one that it chose is named") {
  REQUIRE(contains(output_of("plan --mesh 4x4"), "\npolicy      combs, chosen by auto\n"));
  REQUIRE(contains(output_of("plan --mesh 4x4 --bytes 1"), "\npolicy      tree, chosen by auto\n"));
  REQUIRE(contains(output_of("plan --mesh 8x8 --fail 2-3,2-3"),
                   "limit T*    0.6000 M/B, proven by a cut into "));
}

TEST_CASE("a number of trees is kept to") {
  const auto text = output_of("plan --mesh 8x8 --fail 2,2 --policy trees --trees 2");
  REQUIRE((contains(text, "\nflows       2\n") || contains(text, "\nflows       1\n")));
}

TEST_CASE("a drawing of 16x16 fits 100 columns") {
  const auto text = output_of("plan --mesh 16x16 --fail 2,2 --fail 4-5,4-7 --policy tree");
  REQUIRE(widest_line(text) <= 100);
  REQUIRE(widest_line(text) > 90);
}

TEST_CASE("a message size gives a time in microseconds") {
  REQUIRE_FALSE(contains(output_of("plan --mesh 1x2 --policy tree"), " us for "));
  // Two hops of 1 us, and 1 MiB once over the link in 1 MiB chunks, each way.
  const auto text = output_of(
      "plan --mesh 1x2 --policy tree --bytes 1M --chunk-bytes 1M --latency-us 1 --overhead-us 0 "
      "--bandwidth 1048.576");
  REQUIRE(contains(text, "2.00 ms for 1 MiB"));
}

TEST_CASE("a limit on injection slows a plan down") {
  const auto text = output_of("plan --mesh 4x4 --policy combs --injection 10000");
  REQUIRE(contains(text, "predicted   2.5000 M/B"));
}

TEST_CASE("the limit is that of injection where that is the larger one") {
  // 2 * 15/16 enter and leave every cell, at the rate of a link.
  const auto text = output_of("plan --mesh 4x4 --policy combs --injection 10000");
  REQUIRE(contains(text, "\nlimit       1.8750 M/B, limit of injection"));
  REQUIRE(contains(text, "T* of the links: 0.6250 M/B, proven by a cut into 16 parts"));
  REQUIRE(contains(text, "\nof limit    75.0 %\n"));
  REQUIRE(contains(output_of("plan --mesh 4x4 --table --injection 10000"), " 75.0 %"));
  // Where the caption is broken into lines is not the point.
  REQUIRE(
      contains(output_of("plan --mesh 4x4 --policy combs --injection 10000 --svg -"), "injection"));
  const auto fast = output_of("plan --mesh 4x4 --policy combs --injection 90000");
  REQUIRE(contains(fast, "\nlimit T*    0.6250 M/B, proven"));
  REQUIRE(contains(fast, "\nof limit    100.0 %\n"));
  // Bridges leave nothing to say about links, but cells stay what they are.
  const auto bridged = output_of("plan --mesh 1x3 --fail 0,1 --policy tree --injection 10000");
  REQUIRE(contains(bridged, "\nlimit       1.0000 M/B, limit of injection"));
}

TEST_CASE("where the policy comes from is said") {
  REQUIRE(contains(output_of("plan --mesh 4x4", {.environment = {"DETOUR_POLICY=ring"}}),
                   "\npolicy      ring (from DETOUR_POLICY)\n"));
  REQUIRE_FALSE(
      contains(output_of("plan --mesh 4x4 --policy tree", {.environment = {"DETOUR_POLICY=ring"}}),
               "DETOUR_POLICY"));
}

TEST_CASE("a picture goes to standard output on demand, alone") {
  const auto svg = output_of("plan --mesh 4x4 --policy tree --svg -");
  REQUIRE(find_xml_defect(svg).value_or("") == "");
  REQUIRE_FALSE(fs::exists("-"));
}

TEST_CASE("a picture of a mesh in parts says why there is no limit") {
  REQUIRE(contains(output_of("plan --mesh 1x3 --fail 0,1 --policy tree --svg -"),
                   "no limit: the mesh is in parts"));
}

TEST_CASE("the table makes room for long figures") {
  std::istringstream lines(
      output_of("plan --mesh 4x4 --table --bytes 18446744073709551615 --injection 1e-50"));
  std::string header, row;
  std::getline(lines, header);
  std::getline(lines, row);
  row.resize(row.find("  (", 0) == std::string::npos ? row.size() : row.find("  ("));
  REQUIRE(row.size() == header.size());
}

TEST_CASE("plain characters where the locale is not UTF-8, or on demand") {
  const std::string arguments = "plan --mesh 4x4 --fail 1,1 --policy tree";
  const auto in_c = output_of(arguments, {.environment = {"LC_ALL=C"}});
  REQUIRE(in_c == output_of(arguments + " --ascii"));
  REQUIRE(std::all_of(in_c.begin(), in_c.end(), [](char letter) { return letter > 0; }));
  REQUIRE(contains(output_of(arguments), "━"));
  // Not installed, but the terminal says what it understands.
  REQUIRE(contains(output_of(arguments, {.environment = {"LC_ALL=xx_XX.UTF-8"}}), "━"));
}

TEST_CASE("colour only when asked for, since this is no terminal") {
  const std::string arguments = "plan --mesh 4x4 --policy tree";
  REQUIRE_FALSE(contains(output_of(arguments), "\033"));
  REQUIRE_FALSE(contains(output_of(arguments + " --color never"), "\033"));
  REQUIRE(contains(output_of(arguments + " --color always"), "\033["));
  REQUIRE(
      contains(output_of(arguments + " --color always", {.environment = {"NO_COLOR=1"}}), "\033["));
}

TEST_CASE("bridges can be forbidden by option and by setting") {
  const std::string arguments = "plan --mesh 1x3 --fail 0,1 --policy tree";
  REQUIRE(contains(output_of(arguments), "bridges, hops beyond the mesh: (0,0)-(0,2)"));
  REQUIRE(contains(output_of(arguments, {.environment = {"DETOUR_BRIDGES=on"}}), "bridges, "));
  const auto refusal = complaint_of(arguments + " --no-bridges", 3);
  REQUIRE(refusal ==
          "policy 'tree' refused: the live cells fall into 2 parts and bridges are forbidden: "
          "{(0,0)} {(0,2)}");
  REQUIRE(complaint_of(arguments, 3, {.environment = {"DETOUR_BRIDGES=off"}}) == refusal);
}

TEST_CASE("the table compares all policies, refusals last") {
  const auto text = output_of("plan --mesh 4x4 --table");
  std::istringstream lines(text);
  std::string header, row;
  std::getline(lines, header);
  REQUIRE(header.starts_with("policy"));
  REQUIRE(contains(header, "of limit"));
  REQUIRE(contains(text, "\ncombs "));
  REQUIRE(contains(text, "\ntree "));
  REQUIRE(text.find("\ncombs ") < text.find("\ntree "));
  REQUIRE(text.find("\ntree ") < text.find("\ndirect "));
  REQUIRE(contains(text, "refused: cells of a mesh reach only their neighbours directly"));
  REQUIRE(contains(output_of("plan --mesh 4x4 --table --bytes 64K"), "for 64 KiB"));
}

TEST_CASE("a table of refusals is a refusal") {
  const auto result = run_detour("plan --mesh 1x3 --fail 0,1 --no-bridges --table");
  REQUIRE(result.exit_status == 3);
  REQUIRE(result.err == "detour: every policy refused\n");
  REQUIRE(contains(result.out, "refused: the live cells fall into 2 parts"));
}

TEST_CASE("a picture is written into a file") {
  const fs::path file = fs::temp_directory_path() / "detour-plan-command-test.svg";
  const auto text = output_of("plan --mesh 8x8 --fail 2,2 --policy tree --svg " + file.string());
  REQUIRE(contains(text, "policy      tree"));
  std::stringstream svg;
  svg << std::ifstream(file).rdbuf();
  fs::remove(file);
  REQUIRE(find_xml_defect(svg.str()).value_or("") == "");
  REQUIRE(contains(svg.str(), "Allreduce on an 8 × 8 mesh, 1 of 64 cells failed"));
  REQUIRE(contains(svg.str(), "policy tree · predicted time 1.000 M/B"));
}

TEST_CASE("plug-ins are used by option and by setting, the option first") {
  const std::string arguments = "plan --mesh 3x3 --policy serpentine";
  const std::string path = EXAMPLE_PLUGIN_PATH;
  REQUIRE(contains(output_of(arguments + " --policy-path " + path), "policy      serpentine"));
  REQUIRE(contains(output_of(arguments, {.environment = {"DETOUR_POLICY_PATH=" + path}}),
                   "policy      serpentine"));
  REQUIRE(contains(output_of(arguments + " --policy-path " + path,
                             {.environment = {"DETOUR_POLICY_PATH=/nowhere.so"}}),
                   "policy      serpentine"));
  REQUIRE(contains(output_of("plan --mesh 3x3 --policy-path " + path,
                             {.environment = {"DETOUR_POLICY=serpentine"}}),
                   "policy      serpentine"));
}

TEST_CASE("a policy that makes a wrong plan is a defect, not a drawing") {
  REQUIRE(contains(complaint_of("plan --mesh 3x3 --policy wrong-plan --policy-path " +
                                    std::string(TEST_PLUGIN_FOLDER) + "/wrong_plan.so",
                                1),
                   "policy 'wrong-plan' made a wrong plan: "));
}
