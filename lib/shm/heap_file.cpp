#include "shm/heap_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>

#include <algorithm>

#include "shm/heap_name.hpp"
#include "shm/system_error.hpp"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

namespace detour {
namespace {

std::string amount(std::size_t bytes) {
  return std::to_string(bytes) + " bytes";
}

// ftruncate beyond this limit would raise SIGXFSZ, which ends a program that does not expect it.
bool within_file_size_limit(std::size_t bytes) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0) return true;
  return limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur;
}

std::optional<Failure> set_size(int file, std::size_t bytes) {
  if (!within_file_size_limit(bytes)) {
    return Failure{"a heap of " + amount(bytes) + " is above the limit of file sizes (ulimit -f)"};
  }
  if (::ftruncate(file, static_cast<off_t>(bytes)) != 0) {
    return Failure{system_error("can't make a heap of " + amount(bytes))};
  }
  return std::nullopt;
}

// Takes the memory now: later, a full /dev/shm would end whoever touches a page with SIGBUS.
std::optional<Failure> take_memory(int file, std::size_t bytes) {
  constexpr std::size_t slice_bytes = std::size_t{16} << 20;
  constexpr int interruption_count_max = 1000;
  int interruption_count = 0;
  std::size_t done_bytes = 0;
  while (done_bytes < bytes) {
    // In slices, because a signal makes the kernel undo the whole call.
    const std::size_t next_bytes = std::min(slice_bytes, bytes - done_bytes);
    if (::fallocate(file, 0, static_cast<off_t>(done_bytes), static_cast<off_t>(next_bytes)) == 0) {
      done_bytes += next_bytes;
    } else if (errno != EINTR || ++interruption_count > interruption_count_max) {
      return Failure{system_error("/dev/shm has no room for a heap of " + amount(bytes))};
    }
  }
  return std::nullopt;
}

int create_memfd() {
  const unsigned int flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  const int file = ::memfd_create("detour-heap", flags | MFD_NOEXEC_SEAL);
  // Kernels before 6.3 don't know the flag; later ones may be set up to demand it.
  if (file < 0 && errno == EINVAL) return ::memfd_create("detour-heap", flags);
  return file;
}

struct stat status_of(int file) {
  struct stat status {};
  if (::fstat(file, &status) != 0) status = {};
  return status;
}

bool is_file_of(const HeapHandle& handle, const struct stat& status, std::size_t file_bytes) {
  return S_ISREG(status.st_mode) && status.st_dev == handle.device &&
         status.st_ino == handle.inode && static_cast<std::size_t>(status.st_size) == file_bytes;
}

std::string owner_of(const HeapHandle& handle) {
  return "the heap of process " + std::to_string(handle.pid);
}

Refusal other_file(const HeapHandle& handle) {
  return {owner_of(handle) +
          " is not what was found in its place: the process has ended and its number was used "
          "again, or it is in another PID namespace"};
}

Outcome<FileDescriptor> open_memfd_file(const HeapHandle& handle, std::size_t file_bytes) {
  const std::uint64_t here = own_pid_namespace();
  if (here != 0 && handle.pid_namespace != 0 && here != handle.pid_namespace) {
    return Refusal{owner_of(handle) + " can't be reached: it is in another PID namespace"};
  }
  const std::string path =
      "/proc/" + std::to_string(handle.pid) + "/fd/" + std::to_string(handle.file);
  // Looked at before it is opened: what is there by now may be a device.
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return Refusal{system_error(
        owner_of(handle) + " can't be reached through " + path +
        " (it has ended, is in another PID namespace or of another user, or /proc hides it)")};
  }
  if (!is_file_of(handle, status, file_bytes)) return other_file(handle);
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!file.is_open()) {
    return Refusal{system_error(owner_of(handle) + " can't be opened through " + path)};
  }
  if (!is_file_of(handle, status_of(file.number()), file_bytes)) return other_file(handle);
  return file;
}

Outcome<FileDescriptor> open_posix_file(const HeapHandle& handle, std::size_t file_bytes) {
  const auto end = std::find(handle.name.begin(), handle.name.end(), '\0');
  const std::string name(handle.name.begin(), end);
  if (end == handle.name.end() || !parse_heap_name(name)) {
    return Failure{owner_of(handle) + " has no name that one of ours could have"};
  }
  FileDescriptor file(::shm_open(("/" + name).c_str(), O_RDWR | O_CLOEXEC, 0));
  if (!file.is_open()) {
    return Refusal{system_error(owner_of(handle) + " can't be opened as /dev/shm/" + name)};
  }
  if (!is_file_of(handle, status_of(file.number()), file_bytes)) return other_file(handle);
  return file;
}

}  // namespace

Outcome<HeapFile> make_memfd_file(std::size_t bytes) {
  HeapFile file{FileDescriptor(create_memfd()), Backing::memfd, {}};
  if (!file.descriptor.is_open()) {
    return Refusal{system_error("the system gives no memory files")};
  }
  if (const auto problem = set_size(file.descriptor.number(), bytes)) return *problem;
  // Nobody can cut it any more, which would end whoever touches the missing pages.
  if (::fcntl(file.descriptor.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) !=
      0) {
    return Refusal{system_error("the size of a memory file can't be fixed")};
  }
  return file;
}

Outcome<HeapFile> make_posix_file(std::size_t bytes) {
  HeapName name{::geteuid(), ::getpid(), 0};
  if (::getrandom(&name.random, sizeof name.random, 0) != sizeof name.random) {
    return Failure{system_error("the system gives no random numbers")};
  }
  const std::string path = "/" + name.text();
  const int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
  HeapFile file{FileDescriptor(::shm_open(path.c_str(), flags, S_IRUSR | S_IWUSR)), Backing::posix,
                name.text()};
  if (!file.descriptor.is_open()) {
    return Refusal{system_error("can't make a file in /dev/shm")};
  }
  const int number = file.descriptor.number();
  // Held as long as the owner lives, however it ends, and taken before the file has a size: see remove_stale_heaps.
  std::optional<Failure> problem;
  if (::flock(number, LOCK_SH | LOCK_NB) != 0) {
    problem = Failure{system_error("can't lock a file in /dev/shm")};
  }
  if (!problem) problem = set_size(number, bytes);
  if (!problem) problem = take_memory(number, bytes);
  if (problem) {
    ::shm_unlink(path.c_str());
    return *problem;
  }
  return file;
}

Outcome<FileDescriptor> open_heap_file(const HeapHandle& handle, std::size_t file_bytes) {
  switch (handle.backing) {
    case Backing::memfd:
      return open_memfd_file(handle, file_bytes);
    case Backing::posix:
      return open_posix_file(handle, file_bytes);
    case Backing::automatic:
      break;
  }
  return Failure{"a heap's handle without a backing"};
}

std::uint64_t own_pid_namespace() {
  struct stat status {};
  return ::stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

}  // namespace detour
