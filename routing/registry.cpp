#include "detour/routing/registry.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace detour {
namespace {

bool name_less(const std::unique_ptr<Policy>& policy, std::string_view name) {
  return policy->name() < name;
}

}  // namespace

PolicyRegistry& PolicyRegistry::instance() {
  static PolicyRegistry registry;
  return registry;
}

bool PolicyRegistry::add(std::unique_ptr<Policy> policy) {
  const auto at = std::lower_bound(policies_.begin(), policies_.end(), policy->name(), name_less);
  if (at != policies_.end() && (*at)->name() == policy->name()) return false;
  policies_.insert(at, std::move(policy));
  return true;
}

const Policy* PolicyRegistry::find(std::string_view name) const {
  const auto at = std::lower_bound(policies_.begin(), policies_.end(), name, name_less);
  return at != policies_.end() && (*at)->name() == name ? at->get() : nullptr;
}

std::vector<const Policy*> PolicyRegistry::all() const {
  std::vector<const Policy*> result;
  for (const auto& policy : policies_) result.push_back(policy.get());
  return result;
}

void register_or_abort(std::unique_ptr<Policy> policy) {
  const std::string name(policy->name());
  if (PolicyRegistry::instance().add(std::move(policy))) return;
  std::fprintf(stderr, "detour: two built-in policies are called '%s'\n", name.c_str());
  std::abort();
}

}  // namespace detour
