// The one list of policies, by name.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "detour/routing/api.hpp"
#include "detour/routing/policy.hpp"

namespace detour {

// Filled before main() by the built-in policies and at start-up by plug-ins; read-only afterwards,
// so readers need no lock.
class DETOUR_API PolicyRegistry {
 public:
  static PolicyRegistry& instance();

  // False, and nothing changes, if a policy of that name is there already.
  bool add(std::unique_ptr<Policy> policy);
  // nullptr if there is none.
  const Policy* find(std::string_view name) const;
  // Sorted by name.
  std::vector<const Policy*> all() const;

 private:
  std::vector<std::unique_ptr<Policy>> policies_;
};

// Registers a built-in policy; two of one name end the program with a message.
DETOUR_API void register_or_abort(std::unique_ptr<Policy> policy);

template <class Type>
struct RegisterPolicy {
  RegisterPolicy() { register_or_abort(std::make_unique<Type>()); }
};

}  // namespace detour
