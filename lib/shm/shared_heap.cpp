#include "shm/shared_heap.hpp"

#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "shm/heap_file.hpp"
#include "shm/system_error.hpp"

namespace detour {
namespace {

// In a page of its own at the file's start, so that the caller's bytes start at a page too.
struct HeapHeader {
  std::array<std::uint64_t, 2> nonce;
};

std::size_t header_bytes() {
  return page_bytes();
}

// Above this an address space has no room, and sums of sizes could wrap around.
constexpr std::uint64_t heap_bytes_max = std::uint64_t{1} << 46;

HeapHeader read_header(const Mapping& mapping) {
  HeapHeader header{};
  std::memcpy(&header, mapping.memory().data(), sizeof header);
  return header;
}

HeapHandle describe(const HeapFile& file, std::size_t bytes) {
  HeapHandle handle;
  handle.backing = file.backing;
  handle.pid = ::getpid();
  handle.pid_namespace = own_pid_namespace();
  handle.bytes = bytes;
  if (file.backing == Backing::memfd) handle.file = file.descriptor.number();
  struct stat status {};
  if (::fstat(file.descriptor.number(), &status) == 0) {
    handle.device = status.st_dev;
    handle.inode = status.st_ino;
  }
  // Shorter than the array by construction: the last byte stays zero.
  std::copy_n(file.name.begin(), std::min(file.name.size(), handle.name.size() - 1),
              handle.name.begin());
  return handle;
}

}  // namespace

Outcome<SharedHeap> SharedHeap::create(std::size_t bytes, Backing backing) {
  if (bytes == 0 || bytes > heap_bytes_max) {
    return Failure{"there are no heaps of " + std::to_string(bytes) + " bytes"};
  }
  if (backing != Backing::automatic) return create_with(bytes, backing);
  auto heap = create_with(bytes, Backing::memfd);
  return heap.refused() ? create_with(bytes, Backing::posix) : std::move(heap);
}

Outcome<SharedHeap> SharedHeap::create_with(std::size_t bytes, Backing backing) {
  const std::size_t file_bytes = header_bytes() + bytes;
  auto made = backing == Backing::memfd ? make_memfd_file(file_bytes) : make_posix_file(file_bytes);
  if (!made.ok()) return made.without_value<SharedHeap>();
  HeapFile file = std::move(made).value();
  auto mapping = Mapping::of_file(file.descriptor.number(), file_bytes);
  if (!mapping.ok()) {
    if (!file.name.empty()) ::shm_unlink(("/" + file.name).c_str());
    return mapping.without_value<SharedHeap>();
  }
  SharedHeap heap(std::move(mapping).value(), describe(file, bytes));
  heap.file_ = std::move(file.descriptor);
  heap.name_ = std::move(file.name);
  HeapHeader header{};
  if (::getrandom(&header, sizeof header, 0) != sizeof header) {
    return Failure{system_error("the system gives no random numbers")};
  }
  std::memcpy(heap.mapping_.memory().data(), &header, sizeof header);
  heap.handle_.nonce = header.nonce;
  return heap;
}

Outcome<SharedHeap> SharedHeap::open(const HeapHandle& handle) {
  if (handle.bytes == 0 || handle.bytes > heap_bytes_max) {
    return Failure{"a heap's handle with an impossible size"};
  }
  const std::size_t file_bytes = header_bytes() + handle.bytes;
  const auto file = open_heap_file(handle, file_bytes);
  if (!file.ok()) return file.without_value<SharedHeap>();
  auto mapping = Mapping::of_file(file.value().number(), file_bytes);
  if (!mapping.ok()) return mapping.without_value<SharedHeap>();
  if (read_header(mapping.value()).nonce != handle.nonce) {
    return Refusal{"the heap of process " + std::to_string(handle.pid) +
                   " bears another mark than it should: it is not the one that was announced"};
  }
  return SharedHeap(std::move(mapping).value(), handle);
}

SharedHeap::~SharedHeap() {
  unlink();
}

SharedHeap::SharedHeap(SharedHeap&& other) noexcept
    : mapping_(std::move(other.mapping_)),
      handle_(std::exchange(other.handle_, {})),
      file_(std::move(other.file_)),
      name_(std::exchange(other.name_, {})) {}

SharedHeap& SharedHeap::operator=(SharedHeap&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(handle_, other.handle_);
  std::swap(file_, other.file_);
  std::swap(name_, other.name_);
  return *this;
}

std::span<std::byte> SharedHeap::bytes() const {
  return mapping_.memory().empty() ? std::span<std::byte>{}
                                   : mapping_.memory().subspan(header_bytes(), handle_.bytes);
}

void SharedHeap::unlink() {
  // A child that the program forked has a copy of this object, and must leave the name alone.
  if (!name_.empty() && ::getpid() == handle_.pid) ::shm_unlink(("/" + name_).c_str());
  name_.clear();
}

}  // namespace detour
