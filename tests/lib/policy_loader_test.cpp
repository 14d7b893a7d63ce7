#include "policy_loader.hpp"

#include <filesystem>
#include <fstream>

#include "detour/routing/registry.hpp"
#include "support/catch.hpp"
#include "support/contains.hpp"

using namespace detour;
using detour::test::contains;
namespace fs = std::filesystem;

namespace {

const std::string example = EXAMPLE_PLUGIN_PATH;

std::string plugin(const std::string& name) {
  return std::string(TEST_PLUGIN_FOLDER) + "/" + name + ".so";
}

// Why a list of plug-ins can't be loaded into an empty registry.
std::string problem_with(const std::string& path_list) {
  PolicyRegistry registry;
  const auto loaded = load_policies(path_list, registry);
  REQUIRE(loaded.failed());
  REQUIRE(loaded.reason().find('\n') == std::string::npos);
  return loaded.reason();
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    char name[] = "/tmp/detour-loader-XXXXXX";
    path_ = ::mkdtemp(name);
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  fs::path operator/(const std::string& name) const { return path_ / name; }
  std::string str() const { return path_.string(); }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("the example plug-in is loaded and plans") {
  PolicyRegistry registry;
  const auto loaded = load_policies(example, registry);
  REQUIRE(loaded.reason() == "");
  REQUIRE(loaded.value() == std::vector<std::string>{"serpentine"});

  const Policy* policy = registry.find("serpentine");
  REQUIRE(policy != nullptr);
  const Mesh mesh(5, 3);
  const Topology topology(mesh, FaultSet(mesh));
  const auto plan = policy->plan(topology, {});
  REQUIRE(plan.reason() == "");
  const Shape figures = shape(topology, plan.value());
  REQUIRE(figures.link_load == 1);
  REQUIRE(figures.depth == 14);
  REQUIRE(policy->quote(topology, {}).value().depth == figures.depth);
}

TEST_CASE("the example plug-in refuses where a hole breaks its chain") {
  PolicyRegistry registry;
  REQUIRE(load_policies(example, registry).ok());
  const Mesh mesh(3, 3);
  FaultSet faults(mesh);
  faults.fail(mesh.id({1, 1}));
  const auto plan = registry.find("serpentine")->plan(Topology(mesh, faults), {});
  REQUIRE(plan.refused());
  REQUIRE(plan.reason() == "a hole breaks the chain between (1,2) and (1,0)");
}

TEST_CASE("a folder gives its shared objects, sorted by name") {
  const TemporaryFolder folder;
  fs::copy(example, folder / "b.so");
  fs::copy(plugin("snake_ring"), folder / "a.so");
  std::ofstream(folder / "notes.txt") << "not a plug-in";
  PolicyRegistry registry;
  const auto loaded = load_policies(folder.str(), registry);
  REQUIRE(loaded.reason() == "");
  REQUIRE(loaded.value() == std::vector<std::string>{"snake-ring", "serpentine"});
}

TEST_CASE("of many faulty plug-ins in a folder the first by name is the one complained of") {
  const TemporaryFolder folder;
  for (int number = 59; number >= 10; --number) {
    std::ofstream(folder / (std::to_string((number * 7) % 50 + 10) + ".so")) << "empty";
  }
  REQUIRE(contains(problem_with(folder.str()), "/10.so' can't be loaded: "));
}

TEST_CASE("a list of plug-ins is split at colons, empty entries left out") {
  PolicyRegistry registry;
  REQUIRE(load_policies(":" + example + "::" + plugin("snake_ring") + ":", registry).value() ==
          std::vector<std::string>{"serpentine", "snake-ring"});
  REQUIRE(load_policies("", registry).value().empty());
}

TEST_CASE("what is wrong with a plug-in is said, with its file") {
  const TemporaryFolder folder;
  const std::string text_file = folder / "text.so";
  std::ofstream(text_file) << "this is not an ELF file, but long enough to look at as one would be";

  REQUIRE(problem_with("/nowhere/x.so") == "policy plug-in '/nowhere/x.so' is not there");
  REQUIRE(contains(problem_with(text_file), "'" + text_file + "' can't be loaded: "));
  REQUIRE(problem_with(plugin("no_entry_point")) ==
          "policy plug-in '" + plugin("no_entry_point") + "' has no function detour_policy_plugin");
  REQUIRE(contains(problem_with(plugin("other_abi")),
                   "'" + plugin("other_abi") + "' was built for another version"));
  REQUIRE(contains(problem_with(plugin("misnamed")), "calls its policy 'My Policy'"));
  REQUIRE(contains(problem_with(plugin("throws")), "failed to make its policy: no tables"));
}

TEST_CASE("two policies of one name are an error, and the first stays") {
  PolicyRegistry& registry = PolicyRegistry::instance();
  const Policy* built_in = registry.find("tree");
  const auto loaded = load_policies(plugin("duplicate_name"));
  REQUIRE(loaded.failed());
  REQUIRE(loaded.reason() == "policy plug-in '" + plugin("duplicate_name") +
                                 "' brings a policy 'tree', but there is one already");
  REQUIRE(registry.find("tree") == built_in);
  REQUIRE(
      contains(problem_with(example + ":" + example), "'serpentine', but there is one already"));
}
