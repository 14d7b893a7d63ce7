#include "shm/stale_heaps.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <ctime>
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

// The owner locks the file right after making it, and the kernel frees the lock when it ends. A free
// lock is its end, then, unless the file is that new: there a live owner of that number counts.
bool is_stale(const HeapName& name, const std::string& path) {
  constexpr std::time_t new_for_s = 60;
  const FileDescriptor file(::shm_open(path.c_str(), O_RDWR | O_CLOEXEC, 0));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0) return false;
  if (!S_ISREG(status.st_mode) || status.st_uid != name.user) return false;
  if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0) return false;
  return is_gone(name.owner) || std::time(nullptr) - status.st_mtime > new_for_s;
}

}  // namespace

std::size_t remove_stale_heaps() {
  std::size_t removed_count = 0;
  std::error_code error;
  std::filesystem::directory_iterator entry("/dev/shm", error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const auto parsed = parse_heap_name(name);
    if (!parsed || parsed->user != ::geteuid()) continue;
    const std::string path = "/" + name;
    if (!is_stale(*parsed, path)) continue;
    if (::shm_unlink(path.c_str()) == 0) ++removed_count;
  }
  return removed_count;
}

}  // namespace detour
