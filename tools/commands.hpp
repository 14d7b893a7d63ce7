// The subcommands: each declares its options, and runs when it was the one that was typed.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace detour::tool {

// What to do once the command line is known to be right. Throws BadInput, Refused or Defect.
using Action = std::function<void()>;

Action add_plan_command(CLI::App& app);
Action add_policies_command(CLI::App& app);
Action add_info_command(CLI::App& app);
Action add_bench_command(CLI::App& app);
Action add_tune_command(CLI::App& app);

}  // namespace detour::tool
