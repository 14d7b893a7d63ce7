// What there is to say of a job, for the screen and for plain lines alike.
#pragma once

#include <string>

#include "demo/mesh_picture.hpp"
#include "demo/progress.hpp"

namespace detour::demo {

// "16 ranks on a 4x4 mesh: ..."
std::string title(const Progress& progress, const MeshPicture& mesh);

// "  3.2 s  step 120  rank 5 killed, cell 1,2; 15 go on, next step after 12 ms"
std::string death_line(const Death& death, const MeshPicture& mesh);

// "132.4 MB/s"
std::string rate_text(double bytes_per_second);

}  // namespace detour::demo
