#include "stub_policy.hpp"

namespace {

class SecondTree final : public StubPolicy {
 public:
  std::string_view name() const override { return "tree"; }
};

}  // namespace

DETOUR_POLICY_PLUGIN(SecondTree)
