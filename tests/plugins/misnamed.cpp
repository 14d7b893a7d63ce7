#include "stub_policy.hpp"

namespace {

class Misnamed final : public StubPolicy {
 public:
  std::string_view name() const override { return "My Policy"; }
};

}  // namespace

DETOUR_POLICY_PLUGIN(Misnamed)
