// The processes that a rank is made of.
#pragma once

namespace detour::run {

// Kills all processes of this one's group but itself.
void kill_rest_of_group();

}  // namespace detour::run
