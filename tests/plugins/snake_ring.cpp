// A ring both ways round an intact mesh with an even number of rows: plans with cycles, for tests
// that are about cycles and not about where they come from.
#include <algorithm>
#include <detour/routing.hpp>

namespace {

using namespace detour;

class SnakeRing final : public Policy {
 public:
  std::string_view name() const override { return "snake-ring"; }
  std::string_view summary() const override { return "down column 0, then back in a serpentine"; }

 private:
  Outcome<Quote> make_quote(const Topology&, const Request&) const override {
    return Refusal{"only for tests"};
  }
  Outcome<Plan> make_plan(const Topology& topology, const Request&) const override {
    const Mesh& mesh = topology.mesh();
    if (mesh.rows() % 2 != 0 || mesh.cols() < 2 || topology.faults().count() > 0) {
      return Refusal{"only intact meshes with an even number of rows"};
    }
    Cycle cycle;
    for (std::int32_t row = 0; row < mesh.rows(); ++row) cycle.order.push_back(mesh.id({row, 0}));
    for (std::int32_t row = mesh.rows() - 1; row >= 0; --row) {
      for (std::int32_t step = 1; step < mesh.cols(); ++step) {
        cycle.order.push_back(mesh.id({row, row % 2 != 0 ? step : mesh.cols() - step}));
      }
    }
    cycle.shares.assign(cycle.order.size(), 1);
    Plan plan;
    plan.cycles = {cycle, cycle};
    std::reverse(plan.cycles[1].order.begin(), plan.cycles[1].order.end());
    return plan;
  }
};

}  // namespace

DETOUR_POLICY_PLUGIN(SnakeRing)
