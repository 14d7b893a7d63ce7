#include <algorithm>

#include "detour/routing/registry.hpp"
#include "detour/routing/render.hpp"
#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/plans.hpp"
#include "support/xml_check.hpp"

using namespace detour;
using namespace detour::test;
using detour::test::find_xml_defect;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string checked_svg(const Topology& topology, const Plan& plan,
                        const std::string& caption = "a caption") {
  const std::string svg = render_svg(topology, plan, caption);
  REQUIRE(find_xml_defect(svg).value_or("") == "");
  REQUIRE_FALSE(contains(svg, "nan"));
  REQUIRE_FALSE(contains(svg, "inf\""));
  return svg;
}

}  // namespace

TEST_CASE("the check of XML finds what it is for") {
  REQUIRE_FALSE(find_xml_defect("<?xml v?><a><b c=\"d\"/>e &amp; f</a>"));
  REQUIRE(find_xml_defect("<a></a>"));
  REQUIRE(find_xml_defect("<?xml v?><a><b></a>"));
  REQUIRE(find_xml_defect("<?xml v?><a>b & c</a>"));
  REQUIRE(find_xml_defect("<?xml v?><a b=\"c/></a>"));
  REQUIRE(find_xml_defect("<?xml v?><a/><b/>"));
  REQUIRE(find_xml_defect("<?xml v?><a>"));
}

TEST_CASE("pictures of all kinds of plans are well-formed") {
  for (const auto& topology : {intact(1, 1), intact(1, 2), intact(4, 4), intact(5, 1),
                               with_holes(Mesh(8, 8), {{2, 2}, {4, 4}, {4, 5}}),
                               with_holes(Mesh(6, 6), {{0, 1}, {1, 0}})}) {
    checked_svg(topology, plan_by("tree", topology));
  }
  const auto whole = intact(8, 8);
  checked_svg(whole, plan_by("combs", whole));
  const auto complete = Topology(Mesh(4, 4), FaultSet(Mesh(4, 4)), Connectivity::complete);
  checked_svg(complete, plan_by("direct", complete));
}

TEST_CASE("a title says a or an as one speaks it") {
  const auto title = [](std::int32_t rows) {
    const auto topology = intact(rows, 1);
    const std::string svg = render_svg(topology, plan_by("tree", topology), "");
    const auto start = svg.find("Allreduce on ") + 13;
    return svg.substr(start, svg.find(' ', start) - start);
  };
  for (const std::int32_t rows : {8, 11, 18, 80, 89, 800, 8000, 11000}) {
    INFO(rows);
    REQUIRE(title(rows) == "an");
  }
  for (const std::int32_t rows : {1, 4, 10, 12, 16, 19, 78, 110, 118, 180, 1100, 1800}) {
    INFO(rows);
    REQUIRE(title(rows) == "a");
  }
}

TEST_CASE("a caption of two lines leaves no word alone") {
  const auto topology = intact(2, 2);
  // A line has room for 96 letters, all of these but the last word.
  std::string caption;
  for (int word = 0; word < 9; ++word) caption += "123456789 ";
  const auto svg = checked_svg(topology, plan_by("tree", topology), caption + "12345 end");
  REQUIRE_FALSE(contains(svg, ">end<"));
  REQUIRE(contains(svg, " end<"));
}

TEST_CASE("failed cells are as large as live ones") {
  const auto topology = with_holes(Mesh(1, 3), {{0, 1}});
  const auto svg = checked_svg(topology, plan_by("tree", topology));
  // Squares of rounded corners: 0.46 of the pitch of 92, less a fifth at each corner.
  const auto holes = svg.substr(0, svg.find("fill=\"url(#hatch)\" stroke"));
  const auto path = holes.substr(holes.rfind("d=\""));
  INFO(path);
  REQUIRE(contains(path, "h25.39"));
}

TEST_CASE("text in a picture is escaped") {
  const auto topology = intact(2, 2);
  const auto svg = checked_svg(topology, plan_by("tree", topology), "a<b> & \"c\"\x01");
  REQUIRE(contains(svg, "a&lt;b&gt; &amp; &quot;c&quot;<"));
}

TEST_CASE("a link is as wide as its load") {
  // Three quarters of the payload cross the left link, one quarter the right one.
  const auto topology = intact(1, 3);
  Plan plan;
  plan.total_share = 4;
  plan.flows = {{.share = 3, .root = 0, .reduce = {{1, 0}}, .broadcast = {{0, 1}}},
                {.share = 1, .root = 2, .reduce = {{1, 2}}, .broadcast = {{2, 1}}}};
  const auto svg = render_svg(topology, plan, "");
  REQUIRE(contains(svg, "h92v34.96h-92z"));  // 0.38 of the pitch of 92: the busiest
  REQUIRE(contains(svg, "h92v11.65h-92z"));
  REQUIRE(contains(svg, "0.750 M, the busiest"));
}

TEST_CASE("strands of several flows lie side by side") {
  const auto topology = intact(1, 2);
  Plan plan;
  plan.total_share = 2;
  plan.flows = {{.share = 1, .root = 0, .reduce = {{1, 0}}, .broadcast = {{0, 1}}},
                {.share = 1, .root = 1, .reduce = {{0, 1}}, .broadcast = {{1, 0}}}};
  const auto svg = render_svg(topology, plan, "");
  REQUIRE(contains(svg, "h92v17.73h-92z"));  // half of 34.96, and a bit under the next
  REQUIRE(contains(svg, "h92v17.48h-92z"));
  REQUIRE(contains(svg, "flow 1, 50.0 %"));
  REQUIRE(contains(svg, "flow 2, 50.0 %"));
}

TEST_CASE("a ring's strands carry what its flows do") {
  const auto topology = intact(2, 2);
  Plan ring;
  ring.cycles = {{.order = {0, 1, 3, 2}, .shares = {1, 2, 3, 4}, .tails = {}}};
  ring.total_share = 10;
  Plan flows;
  flows.total_share = 10;
  for_each_flow(ring, [&](const Flow& flow) { flows.flows.push_back(flow); });
  REQUIRE(render_svg(topology, ring, "") == render_svg(topology, flows, ""));
}

TEST_CASE("a legend explains only what is there") {
  const auto whole = intact(3, 3);
  const auto plain = checked_svg(whole, plan_by("tree", whole));
  REQUIRE_FALSE(contains(plain, "failed"));
  REQUIRE_FALSE(contains(plain, "bridge"));
  const auto broken = with_holes(Mesh(3, 3), {{1, 0}, {1, 1}, {1, 2}});
  const auto holed = checked_svg(broken, plan_by("tree", broken));
  REQUIRE(contains(holed, "3 of 9 cells failed"));
  REQUIRE(contains(holed, ">failed cell<"));
  REQUIRE(contains(holed, ">bridge: a hop beyond the mesh<"));
  REQUIRE(count(holed, "stroke-dasharray=\"7 5\"") == 2);  // the bridge and its sign
}

TEST_CASE("a picture of 32x32 with many flows stays small") {
  const auto topology = intact(32, 32);
  const auto svg = checked_svg(topology, plan_by("combs", topology));
  REQUIRE(svg.size() < 3'000'000);
  REQUIRE(contains(svg, "flows 1 to 6, "));
}
