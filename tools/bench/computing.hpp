// Computing that stands for a part of a program's own work.
#pragma once

#include <cstdint>

namespace detour::tool {

// Keeps the calling thread busy for this much processor time. Not for a time by the clock: where others take the core
// away meanwhile, a thread of the library for instance, a program's work would be done later by as much.
void spend_processor_time(std::uint64_t us);

}  // namespace detour::tool
