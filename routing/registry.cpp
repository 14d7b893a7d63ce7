#include "detour/routing/registry.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace detour {
namespace {

// How many letters have to be changed, added or dropped to turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

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

std::string PolicyRegistry::nearest_name(std::string_view name) const {
  // Of two that are equally near the longer one: a letter is sooner left out than mistaken.
  const auto key = [name](const std::unique_ptr<Policy>& policy) {
    return std::pair(edit_distance(policy->name(), name),
                     -static_cast<std::ptrdiff_t>(policy->name().size()));
  };
  const auto nearest =
      std::min_element(policies_.begin(), policies_.end(),
                       [&key](const auto& a, const auto& b) { return key(a) < key(b); });
  return nearest == policies_.end() ? std::string() : std::string((*nearest)->name());
}

void register_or_abort(std::unique_ptr<Policy> policy) {
  const std::string name(policy->name());
  if (PolicyRegistry::instance().add(std::move(policy))) return;
  std::fprintf(stderr, "detour: two built-in policies are called '%s'\n", name.c_str());
  std::abort();
}

}  // namespace detour
