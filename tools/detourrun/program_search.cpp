#include "program_search.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "shm/system_error.hpp"

namespace detour::run {
namespace {

namespace fs = std::filesystem;

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool can_be_executed(const std::string& path) {
  return ::access(path.c_str(), X_OK) == 0 && !is_folder(path);
}

std::string in_folder(const std::string& folder, const std::string& name) {
  return (folder.empty() ? fs::path(name) : fs::path(folder) / name).native();
}

bool is_file_name(const std::string& name) {
  return name.find('/') != std::string::npos;
}

ProgramProblem problem_of_file(const std::string& name, const std::string& file) {
  if (is_folder(file)) return {name + " can't be executed: it is a folder", cannot_execute_status};
  const int error = ::access(file.c_str(), X_OK) == 0 ? 0 : errno;
  const int status = status_of_failed_start(error);
  if (status == no_program_status) return {"there is no program " + name, status};
  return {system_error(name + " can't be executed", error), status};
}

}  // namespace

int status_of_failed_start(int error) {
  return error == ENOENT || error == ENOTDIR ? no_program_status : cannot_execute_status;
}

std::optional<std::string> find_program(const std::string& name, std::string_view path,
                                        const std::string& folder) {
  const std::string file = in_folder(folder, name);
  if (is_file_name(name)) return can_be_executed(file) ? std::optional(file) : std::nullopt;
  while (!path.empty()) {
    const std::string place(path.substr(0, path.find(':')));
    path.remove_prefix(std::min(place.size() + 1, path.size()));
    // A place that is not an absolute one is seen from where the program is to run.
    const std::string candidate = in_folder(folder, in_folder(place, name));
    if (!place.empty() && can_be_executed(candidate)) return candidate;
  }
  const std::string here = in_folder(folder.empty() ? "." : folder, name);
  return can_be_executed(here) ? std::optional(here) : std::nullopt;
}

std::optional<ProgramProblem> find_missing_program(const Applications& applications,
                                                   std::string_view users_path) {
  const std::string path =
      joined_path(joined_path(applications.path, applications.exported_path), users_path);
  for (const auto& [program, folder] : applications.all) {
    if (!folder.empty() && !is_folder(folder)) {
      return ProgramProblem{"there is no folder " + folder + " to run " + program + " in",
                            no_program_status};
    }
    if (find_program(program, path, folder)) continue;
    // What a name without a slash finds in the current folder tells more than that there is none.
    return problem_of_file(program, in_folder(folder, program));
  }
  return std::nullopt;
}

}  // namespace detour::run
