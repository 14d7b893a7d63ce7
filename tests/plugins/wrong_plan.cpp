// Leaves cells out: the plan checker must stop it.
#include <detour/routing.hpp>

namespace {

using namespace detour;

class WrongPlan final : public Policy {
 public:
  std::string_view name() const override { return "wrong-plan"; }
  std::string_view summary() const override { return "forgets all cells but the root"; }

 private:
  Outcome<Quote> make_quote(const Topology&, const Request&) const override { return Quote{}; }
  Outcome<Plan> make_plan(const Topology& topology, const Request&) const override {
    Plan plan;
    plan.flows.push_back(
        {.share = 1, .root = topology.live_cells().front(), .reduce = {}, .broadcast = {}});
    return plan;
  }
};

}  // namespace

DETOUR_POLICY_PLUGIN(WrongPlan)
