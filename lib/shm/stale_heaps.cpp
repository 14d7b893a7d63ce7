#include "shm/stale_heaps.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

#include "shm/file_descriptor.hpp"
#include "shm/heap_name.hpp"

namespace detour {
namespace {

bool is_gone(pid_t process) {
  return ::kill(process, 0) != 0 && errno == ESRCH;
}

// An owner in another PID namespace looks as if it were gone, but holds its lock.
bool is_unlocked_file_of(uid_t user, const std::string& path) {
  const FileDescriptor file(::shm_open(path.c_str(), O_RDWR | O_CLOEXEC, 0));
  struct stat status {};
  return file.is_open() && ::fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode) &&
         status.st_uid == user && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

std::size_t remove_stale_heaps() {
  std::size_t removed_count = 0;
  std::error_code error;
  std::filesystem::directory_iterator entry("/dev/shm", error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const auto parsed = parse_heap_name(name);
    if (!parsed || parsed->user != ::geteuid() || !is_gone(parsed->owner)) continue;
    const std::string path = "/" + name;
    if (!is_unlocked_file_of(parsed->user, path)) continue;
    if (::shm_unlink(path.c_str()) == 0) ++removed_count;
  }
  return removed_count;
}

}  // namespace detour
