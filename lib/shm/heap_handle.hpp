// How a rank tells the others of its node where its heap is. Plain bytes: made to travel in an
// allgather.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

namespace detour {

enum class Backing : std::uint32_t {
  automatic,  // memfd where the kernel gives it, otherwise posix
  memfd,      // a file without a name, that peers reach through the owner's /proc entry
  posix,      // a file in /dev/shm, that has a name until all peers have opened it
};

struct HeapHandle {
  Backing backing = Backing::automatic;
  std::int32_t pid = 0;
  std::int64_t file = -1;  // the owner's descriptor, for memfd
  std::uint64_t pid_namespace = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;  // that callers may use
  // Also in the heap's first bytes. A pid or a descriptor may mean another file by the time that a
  // peer opens it, and inode numbers are used again: this number is not.
  std::array<std::uint64_t, 2> nonce = {};
  std::array<char, 48> name = {};  // for posix, ends in a zero
};

static_assert(std::is_trivially_copyable_v<HeapHandle>);
// No padding, so that no byte without a value is sent.
static_assert(std::has_unique_object_representations_v<HeapHandle>);

}  // namespace detour
