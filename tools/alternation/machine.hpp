// The machine that figures were measured on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detour::tool {

struct Fact {
  std::string name;
  std::string value;
};

// CPU, cores, caches, memory, huge pages, kernel, system.
std::vector<Fact> describe_machine();

// Of the largest cache that a core sees; a guess where the system does not tell.
std::uint64_t last_cache_bytes();

}  // namespace detour::tool
