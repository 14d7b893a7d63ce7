#include "shm/stale_heaps.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <ctime>
#include <filesystem>
#include <string>
#include <system_error>

#include "shm/file_descriptor.hpp"
#include "shm/heap_name.hpp"

namespace detour {
namespace {

// Whether its owner may be about to lock it, and must not find it locked by somebody else.
bool may_be_in_the_making(const struct stat& status) {
  constexpr std::time_t new_for_s = 60;
  return status.st_size == 0 && std::time(nullptr) - status.st_mtime <= new_for_s;
}

// The owner locks the file right after making it, gives it a size only then, and the kernel frees the lock when the owner
// ends: with a size and a free lock it has none. The owner's number says nothing: who is in another PID
// namespace has one that here means nobody, or somebody else.
bool is_stale(const HeapName& name, const std::string& path) {
  const FileDescriptor file(::shm_open(path.c_str(), O_RDWR | O_CLOEXEC, 0));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0) return false;
  if (!S_ISREG(status.st_mode) || status.st_uid != name.user) return false;
  return !may_be_in_the_making(status) && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0;
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
