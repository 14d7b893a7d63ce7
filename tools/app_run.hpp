// How a command line program runs: from its words to its exit status.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace detour::tool {

class MpiJob;

// Parses the words and then acts, which gives the exit status. Whatever is thrown becomes an exit status, too, and one
// line on standard error. All ranks of a job are told the same, so one of them says it; job may be null. Never throws.
int run_app(CLI::App& app, const std::vector<std::string>& words, MpiJob* job,
            const std::function<int()>& act);

}  // namespace detour::tool
