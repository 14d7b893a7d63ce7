// One picture of the job for a terminal.
#pragma once

#include <string>
#include <vector>

#include "demo/mesh_picture.hpp"
#include "demo/progress.hpp"

namespace detour::demo {

struct ScreenSize {
  int rows = 0;
  int cols = 0;
};

// With less than this there is no room for a picture.
inline constexpr ScreenSize screen_size_min{24, 80};

// At most so many lines, none of them wider than the screen.
std::vector<std::string> draw_frame(const Progress& progress, const MeshPicture& picture,
                                    ScreenSize size, TextStyle style);

}  // namespace detour::demo
