// Where output goes, and noticing when it did not get there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "detour/routing/render.hpp"

namespace detour::tool {

enum class ColourChoice { automatic, always, never };

// "auto", "always" or "never". Throws BadInput.
ColourChoice parse_colour(std::string_view text);

// What the terminal can show: unicode as its locale says, colour if it is a terminal and nobody
// objects (NO_COLOR).
TextStyle text_style(bool ascii_only, ColourChoice colour);

// How many characters fit into a line: of the terminal, or as COLUMNS says, or 80.
std::size_t line_width();

// Before work that takes long: throws BadInput if the file can't be written. Leaves what is there as it is.
void check_can_write(const std::string& path);

// Throws BadInput if not all of it arrives; then no half of it is left behind.
void write_file(const std::string& path, const std::string& text);

// Flushes standard output. A reader that closed the pipe has what it wanted; anything else that
// kept output from arriving throws BadInput.
void finish_output();

}  // namespace detour::tool
