#include "stub_policy.hpp"

// As a plug-in built against another version of the headers answers.
extern "C" DETOUR_API const detour::PolicyPlugin* detour_policy_plugin(std::uint32_t abi) {
  static constexpr detour::PolicyPlugin plugin{
      detour::policy_plugin_abi + 1,
      []() -> std::unique_ptr<detour::Policy> { return std::make_unique<StubPolicy>(); }};
  return abi == plugin.abi ? &plugin : nullptr;
}
