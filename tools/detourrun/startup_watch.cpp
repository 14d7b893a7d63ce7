#include "startup_watch.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace detour::run {
namespace {

// Timers of an idle mpirun cost that much at most from one look to the next.
constexpr long idle_ticks_max = 2;

bool has_children(const std::filesystem::path& process) {
  std::error_code error;
  for (const auto& thread : std::filesystem::directory_iterator(process / "task", error)) {
    std::ifstream file(thread.path() / "children");
    if (std::string child; file >> child) return true;
  }
  return false;
}

}  // namespace

Activity activity_of(pid_t process) {
  const auto folder = std::filesystem::path("/proc") / std::to_string(process);
  Activity activity;
  activity.has_children = has_children(folder);
  std::ifstream file(folder / "stat");
  std::string line;
  std::getline(file, line);
  // The name comes before and may have anything in it.
  std::istringstream words(line.substr(std::min(line.rfind(')') + 1, line.size())));
  std::string state;
  std::string skipped;
  words >> state;
  for (int field = 4; field < 14; ++field) words >> skipped;
  long user_ticks = 0;
  long system_ticks = 0;
  words >> user_ticks >> system_ticks;
  activity.is_asleep = state == "S";
  activity.cpu_ticks = user_ticks + system_ticks;
  return activity;
}

bool StartupWatch::is_stuck(const Activity& activity, Time now) {
  const bool is_quiet = !activity.has_children && activity.is_asleep &&
                        activity.cpu_ticks - cpu_ticks_ <= idle_ticks_max;
  cpu_ticks_ = activity.cpu_ticks;
  if (!is_quiet) {
    quiet_since_.reset();
  } else if (!quiet_since_) {
    quiet_since_ = now;
  }
  return quiet_since_ && now - *quiet_since_ >= patience;
}

}  // namespace detour::run
