// What the library has to say while it runs: one line on stderr per message, as loud as DETOUR_LOG
// allows. What writes the lines is hidden: whoever includes this sees no more of it than fmt.
//
//   log(LogLevel::info, "a mesh of {} cells", count);   ->   [detour] rank 3: a mesh of 8 cells
//
// Any thread may call anything here.
#pragma once

#include <fmt/core.h>

#include <string_view>
#include <utility>

#include "detour/routing/api.hpp"
#include "settings.hpp"

namespace detour {

// The level until somebody says otherwise is that of Settings.
DETOUR_API void set_log_level(LogLevel level);
// Until then lines have no rank: before MPI_Init it is not known.
DETOUR_API void set_log_rank(int rank);

// For messages that take some work to put together.
DETOUR_API bool log_is_on(LogLevel level);

// Text of several lines becomes one line.
DETOUR_API void log(LogLevel level, std::string_view text);

// Takes what is formatted at run time, so that the templates below are small.
DETOUR_API void log_formatted(LogLevel level, fmt::string_view format, fmt::format_args arguments);

template <class First, class... Rest>
void log(LogLevel level, fmt::format_string<First, Rest...> format, First&& first, Rest&&... rest) {
  if (!log_is_on(level)) return;
  log_formatted(level, format, fmt::make_format_args(first, rest...));
}

}  // namespace detour
