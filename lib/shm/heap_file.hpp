// The files behind heaps: making them, and opening those of other processes.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <string>

#include "detour/routing/outcome.hpp"
#include "shm/file_descriptor.hpp"
#include "shm/heap_handle.hpp"

namespace detour {

struct HeapFile {
  FileDescriptor descriptor;
  Backing backing = Backing::automatic;
  std::string name;  // empty for memfd
};

// A new file of this many bytes, all zeros. Refuses where the system has no such files, and fails
// where there is no room.
Outcome<HeapFile> make_memfd_file(std::size_t bytes);
Outcome<HeapFile> make_posix_file(std::size_t bytes);

// The file that a handle speaks of. Refuses, in words, if it can't be reached or is not that one.
Outcome<FileDescriptor> open_heap_file(const HeapHandle& handle, std::size_t file_bytes);

// Numbers of PID namespaces: pids are comparable only within one. 0 if /proc does not tell.
std::uint64_t own_pid_namespace();

}  // namespace detour
