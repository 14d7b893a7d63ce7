// Where in its machine this process runs.
#pragma once

#include <cstdint>

#include "detour/routing/api.hpp"

namespace detour {

// Numbers count from 0 in the order of hwloc, in which neighbours share caches.
struct HardwarePlace {
  std::int32_t numa = 0;                // the NUMA node of `core`
  std::int32_t core = 0;                // the first core that this process may run on
  std::int32_t core_count = 1;          // cores that this process may run on
  std::int32_t machine_core_count = 1;  // cores that processes here may be bound to (cgroups)
  std::int32_t machine_pu_count = 1;    // hardware threads of those cores
  std::int32_t machine_numa_count = 1;
};

// As it was when first asked: the first call takes some milliseconds, the others nothing. Any thread
// may call it.
DETOUR_API const HardwarePlace& hardware_place();

// As it is now. Falls back on what the kernel says where hwloc can't tell.
DETOUR_API HardwarePlace find_hardware_place();

}  // namespace detour
