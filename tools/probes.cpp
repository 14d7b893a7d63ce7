#include "probes.hpp"

#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "shm/shared_heap.hpp"

namespace detour::tool {
namespace {

std::string try_memfd() {
  return SharedHeap::create(65536, Backing::memfd).reason();
}

std::optional<std::uint64_t> free_shared_memory_bytes() {
  struct statvfs status {};
  if (::statvfs("/dev/shm", &status) != 0) return std::nullopt;
  return std::uint64_t{status.f_bavail} * status.f_frsize;
}

// The errno of reading a word of the parent's memory; 0 if it could be read.
int read_from_parent(pid_t parent, int* word) {
  int copy = 0;
  const iovec here{&copy, sizeof copy};
  const iovec there{word, sizeof *word};
  if (::process_vm_readv(parent, &here, 1, &there, 1, 0) != sizeof copy) return errno;
  return copy == *word ? 0 : EFAULT;
}

// A child reads its parent: everybody may read their children, which would prove nothing about
// ranks, none of which is another's parent.
std::string try_peer_read() {
  int word = 0x5eed;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return "can't fork: " + std::generic_category().message(errno);
  if (child == 0) ::_exit(read_from_parent(parent, &word));
  int status = 0;
  if (::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return "the attempt was ended";
  const int error = WEXITSTATUS(status);
  return error == 0 ? std::string() : std::generic_category().message(error);
}

}  // namespace

Probes probe_machine() {
  return {.memfd_problem = try_memfd(),
          .shared_memory_bytes = free_shared_memory_bytes(),
          .peer_read_problem = try_peer_read(),
          .place = hardware_place()};
}

}  // namespace detour::tool
