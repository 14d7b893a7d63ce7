// Judges a plan by its JSON alone, with no code of the library.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace detour::test {

// Empty if all is well: the right keys, shares that add up, every flow's trees span the live cells
// over links and listed bridges, and the predicted time is the largest load of a directed link.
// Otherwise what is wrong.
std::string find_json_defect(const nlohmann::json& plan);

}  // namespace detour::test
