// The base class, the registry and auto: who is asked, who builds, what becomes of bad policies.
#include <cmath>
#include <stdexcept>

#include "support/catch.hpp"
#include "support/plans.hpp"

using namespace detour;
using namespace detour::test;

namespace {

// A policy whose answers a test sets. It has to be registered to be asked by auto, and stays
// registered: outside of the tests that use it, it refuses.
class Scripted final : public Policy {
 public:
  std::string_view name() const override { return "a-scripted-one"; }
  std::string_view summary() const override { return "says what a test tells it to"; }

  static inline std::optional<Quote> quote_to_give;
  static inline std::optional<Plan> plan_to_give;
  enum class Throws { nothing, exception, number };
  static inline Throws throws = Throws::nothing;
  static inline bool quote_throws = false;
  static inline int build_count = 0;
  static void reset() {
    quote_to_give.reset();
    plan_to_give.reset();
    throws = Throws::nothing;
    quote_throws = false;
    build_count = 0;
  }

 private:
  Outcome<Quote> make_quote(const Topology&, const Request&) const override {
    if (quote_throws) throw std::runtime_error("no idea");
    if (quote_to_give) return *quote_to_give;
    return Refusal{"no test is running"};
  }
  Outcome<Plan> make_plan(const Topology&, const Request&) const override {
    ++build_count;
    if (throws == Throws::exception) throw std::runtime_error("out of ideas");
    if (throws == Throws::number) throw 42;
    if (plan_to_give) return *plan_to_give;
    return Refusal{"changed its mind"};
  }
};

const RegisterPolicy<Scripted> registered;

struct ScriptedTest {
  ScriptedTest() { Scripted::reset(); }
  ~ScriptedTest() { Scripted::reset(); }
  const Policy& scripted = policy("a-scripted-one");
};

}  // namespace

TEST_CASE("policies are listed by name, each with a summary") {
  std::vector<std::string> names;
  for (const Policy* candidate : PolicyRegistry::instance().all()) {
    names.emplace_back(candidate->name());
    CHECK_FALSE(candidate->summary().empty());
  }
  CHECK(names == std::vector<std::string>{"a-scripted-one", "auto", "combs", "direct", "ring",
                                          "ring2d", "tree", "trees"});
}

TEST_CASE("a second policy of the same name is not taken") {
  PolicyRegistry& registry = PolicyRegistry::instance();
  const std::size_t count = registry.all().size();
  CHECK_FALSE(registry.add(std::make_unique<Scripted>()));
  CHECK(registry.all().size() == count);
  CHECK(registry.find("tres") == nullptr);
}

TEST_CASE("no cell is an error, one cell an empty plan, forbidden bridges list the parts") {
  for (const Policy* candidate : PolicyRegistry::instance().all()) {
    INFO(candidate->name());
    const auto none = candidate->plan(drawn({"xx"}), {});
    CHECK(none.failed());
    CHECK(none.reason() == "no cell is alive");
    const auto one = candidate->plan(drawn({"x."}), {});
    REQUIRE(one.ok());
    CHECK(one.value().flows.empty());
    CHECK(one.value().total_share == 0);
    CHECK(one.value().policy == candidate->name());
    const auto parts = candidate->plan(drawn({"..x."}, Connectivity::mesh, false), {});
    CHECK(parts.refused());
    CHECK(parts.reason().find("{(0,0) (0,1)} {(0,3)}") != std::string::npos);
    CHECK(candidate->quote(drawn({"..x."}, Connectivity::mesh, false), {}).refused());
  }
}

TEST_CASE_METHOD(ScriptedTest, "a wrong plan is a failure that names policy and defect") {
  Scripted::plan_to_give = Plan{};
  const auto outcome = scripted.plan(drawn({".."}), {});
  CHECK(outcome.failed());
  CHECK(outcome.reason() ==
        "policy 'a-scripted-one' made a wrong plan: nothing carries the payload");
}

TEST_CASE_METHOD(ScriptedTest, "an exception is a failure that names the policy") {
  Scripted::throws = Scripted::Throws::exception;
  const auto outcome = scripted.plan(drawn({".."}), {});
  CHECK(outcome.failed());
  CHECK(outcome.reason() == "policy 'a-scripted-one' failed: out of ideas");
  Scripted::throws = Scripted::Throws::number;
  CHECK(scripted.plan(drawn({".."}), {}).reason() ==
        "policy 'a-scripted-one' failed: it threw something that is no std::exception");
  Scripted::quote_throws = true;
  CHECK(scripted.quote(drawn({".."}), {}).reason() == "policy 'a-scripted-one' failed: no idea");
}

TEST_CASE_METHOD(ScriptedTest, "auto builds the cheapest only") {
  const Topology topology = drawn({"....", ".x..", "...."});
  const Plan usual = policy("auto").plan(topology, {}).value();
  CHECK(usual.policy == "trees");

  Scripted::quote_to_give = Quote{0.99, 4};
  CHECK(policy("auto").plan(topology, {}).value() == usual);
  CHECK(Scripted::build_count == 0);

  Scripted::quote_to_give = Quote{0.01, 4};
  Scripted::plan_to_give = policy("tree").plan(topology, {}).value();
  Scripted::plan_to_give->policy.clear();
  const Plan lured = policy("auto").plan(topology, {}).value();
  CHECK(Scripted::build_count == 1);
  CHECK(lured == usual);  // its plan was dearer than it said, and dearer than the next one's
}

TEST_CASE_METHOD(ScriptedTest, "auto goes on when the cheapest refuses or fails") {
  const Topology topology = drawn({"....", ".x..", "...."});
  Scripted::quote_to_give = Quote{0.01, 4};
  CHECK(policy("auto").plan(topology, {}).value().policy == "trees");
  Scripted::throws = Scripted::Throws::number;
  CHECK(policy("auto").plan(topology, {}).value().policy == "trees");
  Scripted::throws = Scripted::Throws::nothing;
  Scripted::plan_to_give = Plan{};
  CHECK(policy("auto").plan(topology, {}).value().policy == "trees");
  CHECK(Scripted::build_count == 3);
  Scripted::quote_throws = true;
  CHECK(policy("auto").plan(topology, {}).value().policy == "trees");
  Scripted::quote_throws = false;
  Scripted::quote_to_give = Quote{std::nan(""), 0};
  CHECK(scripted.quote(topology, {}).reason() ==
        "policy 'a-scripted-one' failed: its quote is no number");
  CHECK(policy("auto").plan(topology, {}).value().policy == "trees");
}

TEST_CASE("auto takes what suits size and machine") {
  const Mesh mesh(8, 8);
  const Topology intact(mesh, FaultSet(mesh));
  Request small;
  small.bytes = 64;
  CHECK(policy("auto").plan(intact, small).value().policy == "tree");
  CHECK(policy("auto").plan(intact, {}).value().policy == "combs");
  const Topology complete(mesh, FaultSet(mesh), Connectivity::complete);
  CHECK(policy("auto").plan(complete, {}).value().policy == "direct");
  const Topology holes = with_holes(mesh, {{3, 3}});
  CHECK(policy("auto").plan(holes, {}).value().policy == "trees");
}

TEST_CASE("the number of trees can be bounded") {
  const Topology holes = with_holes(Mesh(8, 8), {{3, 3}});
  Request request;
  for (const std::int32_t count : {1, 2, 3, 10}) {
    request.tree_count_max = count;
    const auto plan = policy("trees").plan(holes, request);
    REQUIRE(plan.ok());
    CHECK(plan.value().total_share <= static_cast<std::uint64_t>(count));
  }
  request.tree_count_max = 2'147'483'647;  // bounded by the library
  CHECK(policy("trees").plan(holes, request).value().total_share <= 1024);
  request.tree_count_max = 0;
  CHECK(policy("trees").plan(holes, request).refused());
}
