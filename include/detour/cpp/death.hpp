// Who has died, for programs that want to be told: see Detour_On_death.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "detour/detour.h"

namespace detour {
inline namespace cpp {

struct Death {
  int rank = 0;  // in MPI_COMM_WORLD
  int pid = 0;
  std::string host;
  std::chrono::system_clock::time_point noticed;
};

// Has the function called for every death on this node, past ones included; an empty one ends that. It runs in a thread
// of the library's, has to return soon, and may neither throw nor call MPI or Detour.
inline void on_death(std::function<void(const Death&)> function) {
  static std::function<void(const Death&)> current;
  Detour_On_death(nullptr, nullptr);  // from here on nobody calls the one before
  current = std::move(function);
  if (!current) return;
  Detour_On_death(
      [](const Detour_Death* death, void*) {
        using namespace std::chrono;
        const auto since_1970 =
            duration_cast<system_clock::duration>(duration<double>(death->time));
        current({death->rank, death->pid, death->host, system_clock::time_point(since_1970)});
      },
      nullptr);
}

}  // namespace cpp
}  // namespace detour
