// Values as people write them: sizes and meshes. Shared by settings, tables and command lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "detour/routing/api.hpp"
#include "detour/routing/mesh.hpp"
#include "detour/routing/outcome.hpp"

namespace detour {

// "4096", "64K", "64Ki", "64KiB", "4M", "1G", "1T": all of them powers of two. More than zero. The
// reason of a failure goes on after whatever names the value: "'x' is no size: ...".
DETOUR_API Outcome<std::uint64_t> parse_size(std::string_view text);

// "64K" where it is a round number of them, otherwise plain bytes: what parse_size reads.
DETOUR_API std::string size_text(std::uint64_t bytes);

// "8x8": rows, then columns. Reasons as with parse_size.
DETOUR_API Outcome<Mesh> parse_mesh_text(std::string_view text);

DETOUR_API std::string mesh_text(const Mesh& mesh);

// A whole number from 0 to `most`. Reasons as with parse_size.
DETOUR_API Outcome<std::uint64_t> parse_count(std::string_view text, std::uint64_t most);

}  // namespace detour
