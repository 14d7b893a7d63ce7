// A job that this program starts itself, with detourrun, of ranks that run this program again.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace detour::tool {

struct OwnJob {
  int rank_count = 1;
  std::vector<std::string> words;  // the program's arguments
  // What a rank prints, line by line, as it comes; without the line's end.
  std::function<void(std::string_view line)> on_line;
};

// Returns when the job has ended well. Throws BadInput if there is no detourrun, and with the words that the job had
// for it Defect, BadInput or Refused if it ended otherwise; Defect too if it is silent for minutes, after it was ended.
void run_own_job(const OwnJob& job);

}  // namespace detour::tool
