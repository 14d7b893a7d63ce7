// The programs in mpirun's arguments, which are mpirun's to understand: what is not known here is
// left to it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "environment.hpp"

namespace detour::run {

struct Application {
  std::string program;
  std::string folder;  // to run it in; empty: the current one
};

struct Applications {
  std::vector<Application> all;
  std::string path{};           // to look for programs along, before PATH
  std::string exported_path{};  // a PATH that ranks are given
  bool has_hosts = false;       // somebody has said which, so there may be others than this one
};

// Nothing if there is an option that is not known, because the program can't be told from its value then.
std::optional<Applications> parse_applications(const std::vector<std::string>& for_mpirun);

// Two paths in one, each of which may be empty.
std::string joined_path(const std::string& first, std::string_view second);

// Of a batch system or of a setting, as if they were in mpirun's arguments.
bool has_hosts(const Environment& environment);

// "./a, ./b", each once; "the program" if they are not known.
std::string names_of(const std::optional<Applications>& applications);

}  // namespace detour::run
