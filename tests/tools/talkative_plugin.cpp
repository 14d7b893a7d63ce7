// Refuses, in several lines: the program must not let them break its own.
#include <detour/routing.hpp>

namespace {

using namespace detour;

class Talkative final : public Policy {
 public:
  std::string_view name() const override { return "talkative"; }
  std::string_view summary() const override { return "one line\nand another\n"; }

 private:
  Outcome<Quote> make_quote(const Topology&, const Request&) const override {
    return Refusal{"no\nnever"};
  }
  Outcome<Plan> make_plan(const Topology&, const Request&) const override {
    return Refusal{"no\r\nnever"};
  }
};

}  // namespace

DETOUR_POLICY_PLUGIN(Talkative)
