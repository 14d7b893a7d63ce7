#include "environment.hpp"

#include "core/process.hpp"

namespace detour {

std::optional<std::string> environment_problem() {
  const auto& process = Process::instance();
  if (process.ok()) return std::nullopt;
  return process.reason();
}

}  // namespace detour
