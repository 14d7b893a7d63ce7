// The program, less main().
#pragma once

namespace detour::tool {

// Never throws. Gives the exit status.
int run(int argc, char** argv);

}  // namespace detour::tool
