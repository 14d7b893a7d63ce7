#include "own_files.hpp"

#include <filesystem>

namespace detour::run {

Outcome<std::string> own_path() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return Failure{"can't tell where this program is: " + error.message()};
  if (path.native().find_first_of(" \t\n") != std::string::npos) {
    return Failure{"the path of this program has blanks, which mpirun can't take: " +
                   path.native() + "; put it elsewhere"};
  }
  return path.native();
}

Outcome<std::string> find_preload(const std::string& program_path) {
  const auto folder = std::filesystem::path(program_path).parent_path();
  for (const char* const to_library : {"../lib", DETOUR_BIN_TO_LIB}) {
    const auto library = (folder / to_library / "libdetour_mpi.so").lexically_normal();
    std::error_code ignored;
    if (!std::filesystem::exists(library, ignored)) continue;
    if (library.native().find_first_of(" :") != std::string::npos) {
      return Failure{"blanks or colons can't be in the path of a library that is preloaded: " +
                     library.native()};
    }
    return library.native();
  }
  return Failure{"libdetour_mpi.so is not where it should be, in " +
                 (folder / DETOUR_BIN_TO_LIB).lexically_normal().native() +
                 "; --no-preload is for programs that link it themselves"};
}

std::string malloc_beside(const std::string& library_path) {
  return std::filesystem::path(library_path).replace_filename("libdetour_malloc.so").native();
}

}  // namespace detour::run
