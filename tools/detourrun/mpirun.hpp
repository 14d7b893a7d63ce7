// The mpirun that is there, and what it needs so that a job outlives one of its ranks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "detour/routing/outcome.hpp"

namespace detour::run {

struct OpenMpiVersion {
  int major = 0;
  int minor = 0;
};

struct Mpirun {
  std::string path;
  OpenMpiVersion version;
};

// Looks in PATH, asks what it finds for its version, and says what to do if that is no use.
Outcome<Mpirun> find_mpirun(const std::string& name_or_path);

// From what `mpirun --version` prints.
Outcome<OpenMpiVersion> parse_version(const std::string& path, std::string_view text);

// What goes between "mpirun" and the user's arguments.
std::vector<std::string> own_arguments(OpenMpiVersion version,
                                       const std::vector<std::string>& users);

}  // namespace detour::run
