// How to write a routing policy.
//
// Derive from Policy, override name(), summary(), make_quote() and make_plan(), and register it:
//
//   class Mine final : public Policy { ... };
//   const RegisterPolicy<Mine> registered;             // inside libdetour_routing, or
//   DETOUR_POLICY_PLUGIN(Mine)                         // in a shared object of your own
//
// Both functions are pure: the same topology and request give the same answer, on every rank. The
// base class has dealt with everything trivial before it calls them (no live cell, one live cell, a
// mesh in parts that may not be bridged), and passes whatever they return through the plan checker.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "detour/routing/api.hpp"
#include "detour/routing/cost_model.hpp"
#include "detour/routing/outcome.hpp"
#include "detour/routing/plan.hpp"
#include "detour/routing/request.hpp"
#include "detour/routing/topology.hpp"

namespace detour {

// What a policy expects its plan to cost, said without building it.
struct Quote {
  double time = 0;         // in units of M/B, see predicted_time
  std::int32_t depth = 0;  // hops one after the other
};

class DETOUR_API Policy {
 public:
  virtual ~Policy();

  // As users type it: lower case, letters, digits and dashes.
  virtual std::string_view name() const = 0;
  // One line for `detour policies`.
  virtual std::string_view summary() const = 0;

  Outcome<Quote> quote(const Topology& topology, const Request& request) const;
  // Checked. A plan that the checker rejects is a Failure that names the defect.
  Outcome<Plan> plan(const Topology& topology, const Request& request) const;

 private:
  // At least two cells live, and they are connected or may be bridged.
  virtual Outcome<Quote> make_quote(const Topology& topology, const Request& request) const = 0;
  // The base class fills in `policy` and `total_share`, and lists those of topology.joins() that
  // are used in `bridges`. A policy that uses other non-mesh hops lists them there itself.
  virtual Outcome<Plan> make_plan(const Topology& topology, const Request& request) const = 0;

  // Whatever make_quote or make_plan throws, as a Failure that names the policy.
  template <class Value, class Make>
  Outcome<Value> guarded(Make make) const;
};

// The quote of a plan whose shape is known beforehand.
DETOUR_API Quote quote_of(const Shape& shape, const Request& request);

// What a shared object with a policy exports, as
//   extern "C" const detour::PolicyPlugin* detour_policy_plugin(std::uint32_t abi);
// The function returns nullptr if it was built for another `abi` than the one asked for.
inline constexpr std::uint32_t policy_plugin_abi = 1;

struct PolicyPlugin {
  std::uint32_t abi;
  std::unique_ptr<Policy> (*make)();
};

}  // namespace detour

#define DETOUR_POLICY_PLUGIN(Type)                                                              \
  extern "C" DETOUR_API const ::detour::PolicyPlugin* detour_policy_plugin(std::uint32_t abi) { \
    static constexpr ::detour::PolicyPlugin plugin{                                             \
        ::detour::policy_plugin_abi,                                                            \
        []() -> std::unique_ptr<::detour::Policy> { return std::make_unique<Type>(); }};        \
    return abi == plugin.abi ? &plugin : nullptr;                                               \
  }
