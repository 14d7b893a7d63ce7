#include "rank_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace detour::kills {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path) {
  throw std::system_error(errno, std::generic_category(), path.string());
}

// A new file is full of zeros, which is what a new RankFile is.
RankFile& map(const std::filesystem::path& path, int flags) {
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC | flags, 0600);
  if (file < 0 || ftruncate(file, sizeof(RankFile)) != 0) fail(path);
  void* const memory = mmap(nullptr, sizeof(RankFile), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) fail(path);
  close(file);
  return *static_cast<RankFile*>(memory);
}

}  // namespace

std::filesystem::path rank_file_path(const std::filesystem::path& folder, int rank) {
  return folder / ("rank-" + std::to_string(rank));
}

RankFile& create_rank_file(const std::filesystem::path& path) {
  return map(path, O_CREAT | O_EXCL);
}

RankFile& open_rank_file(const std::filesystem::path& path) {
  return map(path, 0);
}

}  // namespace detour::kills
