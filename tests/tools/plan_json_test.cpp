#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "detour_program.hpp"
#include "plan_verifier.hpp"

using namespace detour::test;
using nlohmann::json;

namespace {

const std::string ring_plugin =
    std::string("--policy-path ") + TEST_PLUGIN_FOLDER + "/snake_ring.so --policy snake-ring";

bool near(const json& number, double expected) {
  return std::abs(number.get<double>() - expected) < 1e-12;
}

json plan_of(const std::string& arguments) {
  return json::parse(output_of("plan --json " + arguments));
}

}  // namespace

TEST_CASE("plans as JSON hold up to an independent check") {
  for (const std::string arguments :
       {"--mesh 4x4 --policy combs", "--mesh 3x5 --policy combs", "--mesh 1x2 --policy tree",
        "--mesh 8x8 --fail 2,2 --fail 4-5,4-7 --policy tree",
        "--mesh 5x5 --fail 0-4,2 --policy tree", "--mesh 2x2 --fail 0,0 --fail 1,1 --policy tree",
        "--mesh 8x8 --fail 2,2 --fail 4-5,4-7", "--mesh 6x6 --fail 0-5,3 --fail 2,0-1",
        "--mesh 8x8 --fail 2-3,2-3 --policy ring2d", "--mesh 7x7 --fail 3,3 --policy ring",
        "--mesh 7x7 --fail 2-3,3 --policy trees --trees 8"}) {
    INFO(arguments);
    REQUIRE(find_json_defect(plan_of(arguments)) == "");
  }
}

TEST_CASE("the independent check finds what it is for") {
  const json good = plan_of("--mesh 3x3 --policy combs");
  REQUIRE(find_json_defect(good) == "");
  const auto defect_after = [&](const std::function<void(json&)>& damage) {
    json plan = good;
    damage(plan);
    return find_json_defect(plan);
  };
  REQUIRE(defect_after([](json& plan) { plan["flows"][0]["share"] = 0.9; }) != "");
  REQUIRE(defect_after([](json& plan) { plan["flows"][0]["reduce"].erase(0); }) != "");
  REQUIRE(defect_after([](json& plan) { plan["flows"][0]["root"] = {0, 0}; }) != "");
  REQUIRE(defect_after([](json& plan) { plan["flows"][1]["broadcast"][0][1] = {2, 2}; }) != "");
  REQUIRE(defect_after([](json& plan) { plan["failed"] = {{1, 1}}; }) != "");
  REQUIRE(defect_after([](json& plan) { plan["time"]["predicted"] = 0.5; }) != "");
  REQUIRE(defect_after([](json& plan) { plan["time"]["limit"] = 0.1; }) != "");
  REQUIRE(defect_after([](json& plan) { plan["extra"] = 1; }) != "");
}

TEST_CASE("JSON tells mesh, faults, policy and flows as they are") {
  const json plan = plan_of("--mesh 1x3 --fail 0,2 --policy tree");
  REQUIRE(plan["mesh"] == json({{"rows", 1}, {"cols", 3}}));
  REQUIRE(plan["failed"] == json::array({{0, 2}}));
  REQUIRE(plan["policy"] == "tree");
  REQUIRE(plan["bridges"] == json::array());
  REQUIRE(plan["flows"].size() == 1);
  REQUIRE(plan["time"]["predicted"] == 1);
  REQUIRE(plan["time"]["limit"] == 1);
}

TEST_CASE("JSON starts with the keys in the order of the example") {
  REQUIRE(output_of("plan --json --mesh 1x2 --fail 0,1 --policy tree") ==
          "{\"mesh\":{\"rows\":1,\"cols\":2},\"failed\":[[0,1]],\"policy\":\"tree\",\"flows\":[],"
          "\"bridges\":[],\"time\":{\"predicted\":0.0,\"limit\":0.0,\"limit_partition\":[]}}\n");
}

TEST_CASE("a disconnected mesh has bridges and no limit, and its parts are the partition") {
  const json plan = plan_of("--mesh 2x3 --fail 0-1,1 --policy tree");
  REQUIRE(plan["bridges"] == json::array({{{0, 0}, {0, 2}}}));
  REQUIRE(plan["time"]["limit"].is_null());
  REQUIRE(plan["time"]["limit_partition"] == json::array({{{0, 0}, {1, 0}}, {{0, 2}, {1, 2}}}));
}

TEST_CASE("a cycle is written out as plain flows") {
  const json plan = plan_of("--mesh 4x5 " + ring_plugin);
  REQUIRE(find_json_defect(plan) == "");
  REQUIRE(plan["flows"].size() == 40);
  REQUIRE(near(plan["time"]["predicted"], 0.95));
}

TEST_CASE("cells that reach each other directly have the limit of all pairs") {
  const json plan = plan_of("--mesh 2x3 --complete --policy direct");
  REQUIRE(near(plan["time"]["limit"], 2. / 6));
  REQUIRE(near(plan["time"]["predicted"], 2. / 6));
  REQUIRE(plan["time"]["limit_partition"].size() == 6);
}

TEST_CASE("a ring's JSON is streamed in little memory") {
#ifdef __SANITIZE_ADDRESS__
  return;  // the sanitizer's own memory would be measured
#endif
  const auto result =
      run_detour("plan --json --mesh 48x48 " + ring_plugin, {.stdout_path = "/dev/null"});
  REQUIRE(result.exit_status == 0);
  REQUIRE(result.memory_kib_max < 64 * 1024);
}
