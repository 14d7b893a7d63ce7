#include "mpirun.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace detour::run {
namespace {

constexpr std::string_view advice =
    "detourrun needs Open MPI 4.1 or 5 (on Debian: apt install openmpi-bin), in PATH or named with "
    "--mpirun PATH";

Outcome<std::string> find_in_path(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (::access(name.c_str(), X_OK) == 0) return name;
    return Failure{"there is no program " + name + "; " + std::string(advice)};
  }
  const char* const path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  while (!folders.empty()) {
    const auto colon = std::min(folders.find(':'), folders.size());
    const std::string folder(folders.substr(0, colon));
    std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    folders.remove_prefix(std::min(colon + 1, folders.size()));
  }
  return Failure{"there is no " + name + " in PATH; " + std::string(advice)};
}

std::string quoted_for_shell(const std::string& text) {
  std::string result = "'";
  for (const char letter : text) result += letter == '\'' ? "'\\''" : std::string(1, letter);
  return result + "'";
}

// Other launchers (Hydra, srun) print something else, or an error: all of it is shown to the parser.
std::string version_text(const std::string& path) {
  std::FILE* const pipe = ::popen((quoted_for_shell(path) + " --version 2>&1").c_str(), "re");
  if (pipe == nullptr) return {};
  std::string text;
  std::array<char, 4096> buffer;
  while (const auto count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    text.append(buffer.data(), count);
  }
  ::pclose(pipe);
  return text;
}

}  // namespace

Outcome<OpenMpiVersion> parse_version(const std::string& path, std::string_view text) {
  constexpr std::string_view name = "(Open MPI) ";
  const auto at = text.find(name);
  OpenMpiVersion version;
  if (at == std::string_view::npos) {
    return Failure{path + " is not Open MPI's; " + std::string(advice)};
  }
  const char* const end = text.data() + text.size();
  const auto [dot, error] = std::from_chars(text.data() + at + name.size(), end, version.major);
  if (error == std::errc{} && dot != end && *dot == '.') {
    std::from_chars(dot + 1, end, version.minor);
  }
  if (version.major < 4 || (version.major == 4 && version.minor < 1)) {
    return Failure{path + " is of Open MPI " + std::to_string(version.major) + "." +
                   std::to_string(version.minor) + "; " + std::string(advice)};
  }
  return version;
}

Outcome<Mpirun> find_mpirun(const std::string& name_or_path) {
  const auto path = find_in_path(name_or_path);
  if (!path.ok()) return path.without_value<Mpirun>();
  const auto version = parse_version(path.value(), version_text(path.value()));
  if (!version.ok()) return version.without_value<Mpirun>();
  return Mpirun{path.value(), version.value()};
}

std::vector<std::string> own_arguments(OpenMpiVersion version,
                                       const std::vector<std::string>& users) {
  // 4.1 is told everything by the environment. 5 takes this option only once.
  if (version.major < 5) return {};
  if (std::find(users.begin(), users.end(), "--with-ft") != users.end()) return {};
  return {"--with-ft", "ulfm"};
}

}  // namespace detour::run
