// What this machine lets ranks do with each other's memory, found out by trying.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "placement/hardware_place.hpp"

namespace detour::tool {

struct Probes {
  std::string memfd_problem;                         // empty: works
  std::optional<std::uint64_t> shared_memory_bytes;  // free in /dev/shm; unset: there is none
  std::string peer_read_problem;                     // empty: process_vm_readv works
  HardwarePlace place;
};

// Forks, and so has to be called before MPI_Init.
Probes probe_machine();

}  // namespace detour::tool
