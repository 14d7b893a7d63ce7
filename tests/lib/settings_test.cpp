#include "settings.hpp"

#include "support/catch.hpp"

using namespace detour;

namespace {

Outcome<Settings> read(std::vector<const char*> environment) {
  environment.push_back(nullptr);
  return read_settings(environment.data());
}

}  // namespace

TEST_CASE("settings are unset where the environment says nothing") {
  const auto settings = read({"HOME=/root", "DETOUR=1", "NOT_DETOUR_POLICY=ring"});
  REQUIRE(settings.ok());
  REQUIRE_FALSE(settings.value().policy);
  REQUIRE_FALSE(settings.value().policy_path);
  REQUIRE_FALSE(settings.value().bridges);
}

TEST_CASE("settings are read from the environment") {
  const auto settings =
      read({"DETOUR_POLICY=tree", "DETOUR_POLICY_PATH=/a:/b=c", "DETOUR_BRIDGES=off"});
  REQUIRE(settings.ok());
  REQUIRE(settings.value().policy == "tree");
  REQUIRE(settings.value().policy_path == "/a:/b=c");
  REQUIRE(settings.value().bridges == false);
  REQUIRE(read({"DETOUR_BRIDGES=on"}).value().bridges == true);
}

TEST_CASE("a misspelt setting is an error that names the nearest one") {
  const auto settings = read({"DETOUR_POLICYPATH=/a"});
  REQUIRE(settings.failed());
  REQUIRE(settings.reason() ==
          "unknown setting DETOUR_POLICYPATH; did you mean DETOUR_POLICY_PATH?");
  REQUIRE(read({"DETOUR_BRIGES=off"}).reason() ==
          "unknown setting DETOUR_BRIGES; did you mean DETOUR_BRIDGES?");
}

TEST_CASE("a value that makes no sense is an error") {
  REQUIRE(read({"DETOUR_BRIDGES=maybe"}).reason() ==
          "DETOUR_BRIDGES is 'on' or 'off', not 'maybe'");
  REQUIRE(read({"DETOUR_POLICY="}).reason() == "DETOUR_POLICY needs the name of a policy");
}

TEST_CASE("bridges are switched in the usual words") {
  for (const char* entry :
       {"DETOUR_BRIDGES=on", "DETOUR_BRIDGES=1", "DETOUR_BRIDGES=true", "DETOUR_BRIDGES=yes"}) {
    INFO(entry);
    REQUIRE(read({entry}).value().bridges == true);
  }
  for (const char* entry :
       {"DETOUR_BRIDGES=off", "DETOUR_BRIDGES=0", "DETOUR_BRIDGES=false", "DETOUR_BRIDGES=no"}) {
    INFO(entry);
    REQUIRE(read({entry}).value().bridges == false);
  }
  REQUIRE(read({"DETOUR_BRIDGES="}).failed());
}

TEST_CASE("what tells CMake where we are is no setting") {
  REQUIRE(read({"DETOUR_ROOT=/opt/detour", "DETOUR_DIR=/opt/detour/lib/cmake"}).ok());
  REQUIRE(read({"DETOUR_ROOTS=/opt/detour"}).failed());
}
