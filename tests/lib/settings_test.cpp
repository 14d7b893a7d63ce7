#include "settings.hpp"

#include <algorithm>

#include "fingerprint.hpp"
#include "setting_list.hpp"
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

TEST_CASE("an empty variable is as good as none") {
  const std::uint64_t nothing = fingerprint(read({}).value());
  for (const SettingEntry& entry : setting_list()) {
    INFO(entry.variable);
    const std::string empty = std::string(entry.variable) + "=";
    const auto settings = read({empty.c_str()});
    REQUIRE(settings.ok());
    REQUIRE(entry.write(settings.value()) == entry.write(Settings()));
    REQUIRE(settings.value().origins == Settings().origins);
    REQUIRE(fingerprint(settings.value()) == nothing);
  }
  REQUIRE(read({"DETOUR_POLCY="}).failed());
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
}

TEST_CASE("what tells CMake where we are is no setting") {
  REQUIRE(read({"DETOUR_ROOT=/opt/detour", "DETOUR_DIR=/opt/detour/lib/cmake"}).ok());
  REQUIRE(read({"DETOUR_ROOTS=/opt/detour"}).failed());
}

TEST_CASE("every setting is read, and written as it was read") {
  const auto read_all = read({"DETOUR_MESH=4x8", "DETOUR_CELLS=node", "DETOUR_TRANSPORT=mpi",
                              "DETOUR_CHUNK_BYTES=64KiB", "DETOUR_WINDOW_COUNT=4",
                              "DETOUR_TABLE=/a/table", "DETOUR_MEMORY_BYTES=1G", "DETOUR_LOG=debug",
                              "DETOUR_POLICY=tree", "DETOUR_POLICY_PATH=/a", "DETOUR_BRIDGES=no",
                              "DETOUR_FT=off", "DETOUR_HANG_TIMEOUT_MS=500", "DETOUR_RESCALE=mean",
                              "DETOUR_SHARED_MALLOC=on", "DETOUR_STORES=apart"});
  REQUIRE(read_all.ok());
  const Settings& settings = read_all.value();
  REQUIRE(settings.mesh == Mesh(4, 8));
  REQUIRE(settings.cells == CellContent::node);
  REQUIRE(settings.transport == TransportChoice::mpi);
  REQUIRE(settings.chunk_bytes == 65536);
  REQUIRE(settings.window_count == 4);
  REQUIRE(settings.table_path == "/a/table");
  REQUIRE(settings.memory_bytes == std::uint64_t{1} << 30);
  REQUIRE(settings.log == LogLevel::debug);
  REQUIRE_FALSE(settings.fault_tolerance);
  REQUIRE(settings.hang_timeout_ms == 500);
  REQUIRE(settings.rescaling == Rescaling::mean);
  REQUIRE(settings.shared_malloc);
  REQUIRE(settings.stores == StoreChoice::apart);
  REQUIRE(read({"DETOUR_CHUNK_BYTES=whole"}).value().chunk_bytes == whole_chunk);
  for (std::size_t at = 0; at < setting_count; ++at) {
    const SettingEntry& entry = setting_list()[at];
    INFO(entry.name);
    REQUIRE(settings.origins[at] == SettingOrigin::environment);
    const auto written = entry.write(settings);
    REQUIRE(written);
    Settings again;
    REQUIRE_FALSE(entry.read(*written, again));
    REQUIRE(entry.write(again) == written);
    Settings copied;
    entry.copy(settings, copied);
    REQUIRE(entry.write(copied) == written);
    REQUIRE(entry.write(Settings()) != written);
  }
}

TEST_CASE("defaults are what the list says they are") {
  const Settings settings;
  for (std::size_t at = 0; at < setting_count; ++at) {
    const SettingEntry& entry = setting_list()[at];
    INFO(entry.name);
    REQUIRE(settings.origins[at] == SettingOrigin::built_in);
    if (const auto value = entry.write(settings)) REQUIRE(*value == entry.default_text);
    if (at > 0) REQUIRE(setting_list()[at - 1].name < entry.name);
  }
}

TEST_CASE("values that make no sense are told with what would") {
  REQUIRE(read({"DETOUR_CELLS=core"}).reason() == "DETOUR_CELLS is 'rank' or 'node', not 'core'");
  REQUIRE(read({"DETOUR_TRANSPORT=tcp"}).reason() ==
          "DETOUR_TRANSPORT is 'auto', 'shm' or 'mpi', not 'tcp'");
  REQUIRE(read({"DETOUR_MESH=4"}).reason() ==
          "DETOUR_MESH '4' is no mesh: write ROWSxCOLS, for example 8x8");
  REQUIRE(read({"DETOUR_CHUNK_BYTES=0"}).reason() == "DETOUR_CHUNK_BYTES has to be more than zero");
  REQUIRE(read({"DETOUR_WINDOW_COUNT=many"}).reason() ==
          "DETOUR_WINDOW_COUNT has to be a whole number, not 'many'");
  REQUIRE(read({"DETOUR_LOG=loud"}).failed());
  REQUIRE(read({"DETOUR_MEMORY_BYTES=lots"}).failed());
  REQUIRE(read({"DETOUR_MEMORY_BYTES=1K"}).reason() ==
          "DETOUR_MEMORY_BYTES has to be 64K at least, not '1K'");
  REQUIRE(read({"DETOUR_MEMORY_BYTES=64K"}).ok());
}

TEST_CASE("a setting is changed for one communicator, and given back") {
  const Settings environment = read({"DETOUR_CHUNK_BYTES=1K"}).value();
  const auto changed = with_setting(environment, "chunk_bytes", "2K", environment);
  REQUIRE(changed.ok());
  REQUIRE(changed.value().chunk_bytes == 2048);
  REQUIRE(changed.value().origins[2] == SettingOrigin::communicator);
  const auto restored = with_setting(changed.value(), "chunk_bytes", "", environment);
  REQUIRE(restored.value().chunk_bytes == 1024);
  REQUIRE(restored.value().origins == environment.origins);
  const auto meshed = with_setting(environment, "mesh", "2x3", environment).value();
  REQUIRE(meshed.mesh == Mesh(2, 3));
  REQUIRE_FALSE(with_setting(meshed, "mesh", "", environment).value().mesh);
}

TEST_CASE("a change for one communicator can be refused") {
  const Settings settings;
  REQUIRE(with_setting(settings, "chunk_byte", "1K", settings).reason() ==
          "unknown setting chunk_byte; did you mean chunk_bytes?");
  REQUIRE(with_setting(settings, "DETOUR_MESH", "2x2", settings).failed());
  REQUIRE(with_setting(settings, "mesh", "2", settings).reason() ==
          "mesh '2' is no mesh: write ROWSxCOLS, for example 8x8");
  REQUIRE(with_setting(settings, "log", "debug", settings).reason() ==
          "log can't be changed for one communicator: it holds for the whole process, "
          "set DETOUR_LOG instead");
  for (const char* name : {"memory_bytes", "policy_path", "table", "hang_timeout_ms"}) {
    REQUIRE(with_setting(settings, name, "1", settings).failed());
  }
}

TEST_CASE("fault tolerance is switched off for one communicator, but not on") {
  const Settings on;
  const auto off = with_setting(on, "ft", "off", on);
  REQUIRE_FALSE(off.value().fault_tolerance);
  REQUIRE(with_setting(off.value(), "ft", "", on).value().fault_tolerance);
  const Settings off_for_all =
      read({"DETOUR_FT=off", "DETOUR_HANG_TIMEOUT_MS=0", "DETOUR_RESCALE=mean"}).value();
  REQUIRE(with_setting(off_for_all, "ft", "on", off_for_all).reason() ==
          "ft can't be on for one communicator: DETOUR_FT=off holds for the whole process");
  REQUIRE(with_setting(off_for_all, "ft", "off", off_for_all).ok());
}

TEST_CASE("ranks tell different settings by their fingerprint") {
  const auto of = [](std::vector<const char*> environment) {
    return fingerprint(read(std::move(environment)).value());
  };
  const std::uint64_t nothing = of({});
  REQUIRE(of({"DETOUR_LOG=debug"}) == nothing);
  // Said or not, it is the same.
  REQUIRE(of({"DETOUR_TRANSPORT=auto", "DETOUR_MEMORY_BYTES=256M"}) == nothing);
  std::vector<std::uint64_t> all{nothing};
  for (const char* entry :
       {"DETOUR_POLICY=tree", "DETOUR_POLICY=ring", "DETOUR_POLICY_PATH=tree", "DETOUR_BRIDGES=on",
        "DETOUR_MESH=2x3", "DETOUR_CELLS=rank", "DETOUR_TRANSPORT=shm", "DETOUR_CHUNK_BYTES=1K",
        "DETOUR_WINDOW_COUNT=1", "DETOUR_TABLE=tree", "DETOUR_MEMORY_BYTES=1M", "DETOUR_FT=off",
        "DETOUR_STORES=cached", "DETOUR_CHUNK_BYTES=whole"}) {
    all.push_back(of({entry}));
  }
  std::sort(all.begin(), all.end());
  REQUIRE(std::adjacent_find(all.begin(), all.end()) == all.end());
  // Known beforehand, and so the same in every process.
  REQUIRE(Fingerprint().value() == 0xcbf29ce484222325);
  Fingerprint letter;
  letter.add("a");
  REQUIRE(letter.value() == (0xaf63dc4c8601ec8c ^ 0xff) * 0x100000001b3);
}
