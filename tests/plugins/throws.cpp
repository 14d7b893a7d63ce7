#include <stdexcept>

#include "stub_policy.hpp"

namespace {

// Its own type: the code of what() is in this shared object.
struct OwnError : std::exception {
  const char* what() const noexcept override { return "no tables"; }
};

class Throws final : public StubPolicy {
 public:
  Throws() { throw OwnError(); }
};

}  // namespace

DETOUR_POLICY_PLUGIN(Throws)
