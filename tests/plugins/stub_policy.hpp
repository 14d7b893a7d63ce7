// A policy that always refuses, for plug-ins whose flaw is elsewhere.
#pragma once

#include <detour/routing.hpp>

namespace {

class StubPolicy : public detour::Policy {
 public:
  std::string_view name() const override { return "stub"; }
  std::string_view summary() const override { return "refuses everything"; }

 private:
  detour::Outcome<detour::Quote> make_quote(const detour::Topology&,
                                            const detour::Request&) const override {
    return detour::Refusal{"a stub"};
  }
  detour::Outcome<detour::Plan> make_plan(const detour::Topology&,
                                          const detour::Request&) const override {
    return detour::Refusal{"a stub"};
  }
};

}  // namespace
