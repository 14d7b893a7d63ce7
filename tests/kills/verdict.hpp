// What has to hold between the ranks of a job when it is over.
#pragma once

#include <string>
#include <vector>

#include "rank_file.hpp"
#include "script.hpp"

namespace detour::kills {

// Empty if all is well. `doomed` are those who were killed, or were meant to be: some got away. The others have to have finished.
std::vector<std::string> judge(const std::vector<Step>& script,
                               const std::vector<const RankFile*>& files,
                               const std::vector<int>& doomed);

}  // namespace detour::kills
