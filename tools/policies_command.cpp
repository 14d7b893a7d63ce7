#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "command_line.hpp"
#include "commands.hpp"
#include "detour/routing/registry.hpp"
#include "format.hpp"
#include "plugins.hpp"

namespace detour::tool {
namespace {

void list_policies() {
  const auto policies = PolicyRegistry::instance().all();
  std::size_t width = 0;
  for (const Policy* policy : policies) width = std::max(width, policy->name().size());
  for (const Policy* policy : policies) {
    std::string name(policy->name());
    name.resize(width + 2, ' ');
    std::cout << name << one_line(policy->summary()) << '\n';
  }
}

}  // namespace

Action add_policies_command(CLI::App& app) {
  const auto policy_path = std::make_shared<std::optional<std::string>>();
  CLI::App* command = app.add_subcommand("policies", "List the routing policies");
  add_text_option(*command, "--policy-path", "PATH", *policy_path,
                  "Plug-ins: files or folders, separated by colons");
  return [policy_path] {
    load_settings_and_plugins(*policy_path);
    list_policies();
  };
}

}  // namespace detour::tool
