#include "placement_drawing.hpp"

#include <cstring>

#include "support/catch.hpp"
#include "support/text_width.hpp"

using namespace detour;
using namespace detour::tool;
using detour::test::widest_line;

namespace {

RankReport report(const char* host, std::int32_t core, std::int32_t core_count = 1) {
  RankReport result{
      .location = {.host = {static_cast<std::uint64_t>(host[0]), 0}, .numa = 0, .core = core},
      .core_count = core_count,
      .machine_core_count = 8};
  std::strncpy(result.host_name.data(), host, result.host_name.size() - 1);
  return result;
}

std::string drawing(const std::vector<RankReport>& reports, std::size_t width,
                    const Settings& settings = {}) {
  std::vector<RankLocation> locations;
  for (const RankReport& each : reports) locations.push_back(each.location);
  return draw_placement(place_ranks(locations, settings).value(), reports, width);
}

}  // namespace

TEST_CASE("runs of numbers are put together") {
  REQUIRE(ranges({}).empty());
  REQUIRE(ranges({5}) == "5");
  REQUIRE(ranges({3, 1, 2, 2, 0, 8}) == "0-3,8");
  REQUIRE(ranges({1, 2, 4, 5, 6}) == "1,2,4-6");
}

TEST_CASE("a rank's cores are told by how it is bound") {
  REQUIRE(cores_text(report("a", 3)) == "core 3");
  REQUIRE(cores_text(report("a", 4, 2)) == "2 cores from 4");
  REQUIRE(cores_text(report("a", 0, 8)) == "any core");
}

TEST_CASE("a mesh of ranks is drawn with its holes") {
  std::vector<RankReport> reports;
  for (std::int32_t core = 0; core < 5; ++core) reports.push_back(report("alpha", core));
  REQUIRE(drawing(reports, 80) ==
          "+--------+--------+--------+\n"
          "| rank 0 | rank 1 | rank 2 |\n"
          "| alpha  | alpha  | alpha  |\n"
          "| core 0 | core 1 | core 2 |\n"
          "+--------+--------+--------+\n"
          "| hole   | rank 4 | rank 3 |\n"
          "|        | alpha  | alpha  |\n"
          "|        | core 4 | core 3 |\n"
          "+--------+--------+--------+\n");
}

TEST_CASE("cells of several ranks are drawn with all of them") {
  REQUIRE(drawing({report("alpha", 0), report("beta", 0, 8), report("alpha", 1),
                   report("beta", 0, 8), report("alpha", 2)},
                  80) ==
          "+-------------+-------------+\n"
          "| ranks 0,2,4 | ranks 1,3   |\n"
          "| alpha       | beta        |\n"
          "| cores 0-2   | any core    |\n"
          "+-------------+-------------+\n");
}

TEST_CASE("a mesh that is too wide is drawn in pieces") {
  const std::vector<RankReport> reports(64, report("alpha", 0));
  for (const std::size_t width : {20UL, 40UL, 79UL, 80UL, 100UL}) {
    const std::string text = drawing(reports, width);
    INFO(text);
    REQUIRE(widest_line(text) <= width);
    for (int rank = 0; rank < 64; ++rank) {
      REQUIRE(text.find("| rank " + std::to_string(rank) + " ") != std::string::npos);
    }
  }
  REQUIRE(drawing(reports, 30).starts_with("columns 0 to 1:\n+"));
  // One column is the least.
  REQUIRE(drawing(reports, 0).starts_with("columns 0 to 0:\n+"));
}

TEST_CASE("long names and lists are cut") {
  Settings settings;
  settings.cells = CellContent::node;
  std::vector<RankReport> reports;
  for (std::int32_t rank = 0; rank < 64; ++rank) {
    reports.push_back(report("a-host-with-a-name-that-is-far-too-long", rank % 2 == 0 ? 0 : 2));
  }
  const std::string text = drawing(reports, 80, settings);
  REQUIRE(text.find("| a-host-with-a-name-th... |\n") != std::string::npos);
  REQUIRE(text.find("| ranks 0-63               |\n") != std::string::npos);
  REQUIRE(text.find("| cores 0,2                |\n") != std::string::npos);
}
