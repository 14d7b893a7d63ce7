#include "shm/shared_heap.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>

#include "support/catch.hpp"
#include "support/child_process.hpp"
#include "support/contains.hpp"
#include "support/heap_owner.hpp"
#include "support/make_heap.hpp"

using namespace detour;
using namespace detour::test;

namespace {

// Why a handle can't be opened: one line of words.
std::string problem_with(const HeapHandle& handle) {
  const auto heap = SharedHeap::open(handle);
  REQUIRE_FALSE(heap.ok());
  REQUIRE(heap.reason().size() > 20);
  REQUIRE(heap.reason().find('\n') == std::string::npos);
  return heap.reason();
}

}  // namespace

TEST_CASE("a heap is zeroed, writable, and as large as was asked for") {
  for (const Backing backing : {Backing::automatic, Backing::memfd, Backing::posix}) {
    const auto heap = make_heap(100'001, backing);
    const auto bytes = heap.bytes();
    REQUIRE(bytes.size() == 100'001);
    REQUIRE(reinterpret_cast<std::uintptr_t>(bytes.data()) % page_bytes() == 0);
    REQUIRE(std::all_of(bytes.begin(), bytes.end(),
                        [](std::byte byte) { return byte == std::byte{0}; }));
    std::memset(bytes.data(), 0xff, bytes.size());
  }
}

TEST_CASE("a large heap starts at a huge page, for its peers too") {
  for (const std::size_t bytes : {16 * mebibyte, 100 * mebibyte + 12345}) {
    const auto heap = make_heap(bytes, Backing::memfd);
    const auto peer = SharedHeap::open(heap.handle());
    for (const auto memory : {heap.bytes(), peer.value().bytes()}) {
      REQUIRE(memory.size() == bytes);
      // Behind the page with its header.
      REQUIRE((reinterpret_cast<std::uintptr_t>(memory.data()) - page_bytes()) % huge_page_bytes ==
              0);
    }
    heap.bytes().back() = std::byte{7};
    REQUIRE(peer.value().bytes().back() == std::byte{7});
  }
}

// Whatever pages the system gives to those who ask; not where it gives huge ones to all.
TEST_CASE("a large heap of which little is used takes little memory") {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/shmem_enabled");
  std::string setting;
  std::getline(file, setting);
  for (const char* const to_all : {"[always]", "[force]", "[within_size]"}) {
    if (contains(setting, to_all)) return;
  }
  const auto heap = make_heap(256 * mebibyte, Backing::memfd);
  std::memset(heap.bytes().data(), 1, 65536);
  REQUIRE(resident_bytes(heap) <= 65536 + 2 * page_bytes());
}

TEST_CASE("two processes see each other's bytes in a heap") {
  for (const Backing backing : {Backing::memfd, Backing::posix}) {
    HeapOwner owner(mebibyte, backing);
    const auto heap = SharedHeap::open(owner.handle());
    REQUIRE(heap.reason() == "");
    REQUIRE(heap.value().bytes().size() == mebibyte);
    REQUIRE(heap.value().bytes().front() == HeapOwner::mark);
    REQUIRE(heap.value().bytes().back() == HeapOwner::mark);
    heap.value().bytes().front() = std::byte{77};
    REQUIRE(owner.first_byte() == std::byte{77});
  }
}

TEST_CASE("a heap outlives its owner, and leaves nothing behind") {
  for (const Backing backing : {Backing::memfd, Backing::posix}) {
    HeapOwner owner(8 * mebibyte, backing);
    {
      const auto heap = SharedHeap::open(owner.handle());
      REQUIRE(heap.reason() == "");
      owner.unlink();
      REQUIRE(owner.process().kill_and_wait() == -SIGKILL);
      const auto bytes = heap.value().bytes();
      REQUIRE(std::all_of(bytes.begin(), bytes.end(),
                          [](std::byte byte) { return byte == HeapOwner::mark; }));
      std::memset(bytes.data(), 1, bytes.size());
    }
    REQUIRE(names_of(owner.process().pid()).empty());
  }
}

TEST_CASE("a killed owner of a memfd heap leaves no name at any time") {
  HeapOwner owner(mebibyte, Backing::memfd);
  REQUIRE(names_of(owner.process().pid()).empty());
  REQUIRE(owner.process().kill_and_wait() == -SIGKILL);
  REQUIRE(names_of(owner.process().pid()).empty());
  REQUIRE(contains(problem_with(owner.handle()), "can't be reached"));
}

TEST_CASE("a posix heap has a name until it is unlinked or destroyed") {
  {
    auto heap = make_heap(mebibyte, Backing::posix);
    REQUIRE(names_of(::getpid()).size() == 1);
    const auto peer = SharedHeap::open(heap.handle());
    REQUIRE(peer.reason() == "");
    heap.unlink();
    heap.unlink();
    REQUIRE(names_of(::getpid()).empty());
    REQUIRE(contains(problem_with(heap.handle()), "can't be opened"));
    heap.bytes()[5] = std::byte{9};
    REQUIRE(peer.value().bytes()[5] == std::byte{9});
  }
  {
    const auto heap = make_heap(mebibyte, Backing::posix);
    const auto peer = SharedHeap::open(heap.handle());
    REQUIRE(names_of(::getpid()).size() == 1);
  }
  REQUIRE(names_of(::getpid()).empty());
}

TEST_CASE("a forked copy of a heap and a peer leave the owner's name alone") {
  const auto heap = make_heap(mebibyte, Backing::posix);
  ChildProcess child([&] {
    SharedHeap copy = std::move(const_cast<SharedHeap&>(heap));
    return copy.bytes().empty() ? 1 : 0;
  });
  REQUIRE(child.wait() == 0);
  REQUIRE(SharedHeap::open(heap.handle()).ok());
  REQUIRE(names_of(::getpid()).size() == 1);
}

TEST_CASE("a heap may be moved, and its bytes stay where they are") {
  auto first = make_heap(mebibyte, Backing::posix);
  const auto* place = first.bytes().data();
  SharedHeap second = std::move(first);
  REQUIRE(first.bytes().empty());
  REQUIRE(second.bytes().data() == place);
  first = make_heap(4096, Backing::memfd);
  second = std::move(first);
  first = make_heap(4096, Backing::memfd);
  REQUIRE(second.bytes().size() == 4096);
  REQUIRE(names_of(::getpid()).empty());
}

TEST_CASE("a handle that was tampered with is rejected in words") {
  for (const Backing backing : {Backing::memfd, Backing::posix}) {
    HeapOwner owner(mebibyte, backing);
    const auto with = [&](auto change) {
      HeapHandle handle = owner.handle();
      change(handle);
      return problem_with(handle);
    };
    REQUIRE(contains(with([](auto& handle) { handle.nonce[1] ^= 1; }), "another mark"));
    REQUIRE(contains(with([](auto& handle) { ++handle.inode; }), "is not what was found"));
    REQUIRE(contains(with([](auto& handle) { ++handle.device; }), "is not what was found"));
    REQUIRE(contains(with([](auto& handle) { handle.bytes += 4096; }), "is not what was found"));
    REQUIRE(contains(with([](auto& handle) { handle.bytes = 0; }), "impossible size"));
    REQUIRE(contains(with([](auto& handle) { handle.bytes = UINT64_MAX; }), "impossible size"));
    REQUIRE(contains(with([](auto& handle) { handle.backing = {}; }), "without a backing"));
    REQUIRE(contains(with([](auto& handle) { handle.backing = static_cast<Backing>(77); }),
                     "without a backing"));
    // It was not changed too much to be opened.
    REQUIRE(SharedHeap::open(owner.handle()).ok());
  }
}

TEST_CASE("names that no heap of ours has are not opened") {
  HeapOwner owner(mebibyte, Backing::posix);
  for (const char* name : {"", "../etc/passwd", "detour-0-1", "detour-0-1-xyz", "detour-0--1-5",
                           "detour-0-1-5-", "other-0-1-5"}) {
    HeapHandle handle = owner.handle();
    handle.name = {};
    std::copy_n(name, std::strlen(name), handle.name.begin());
    REQUIRE(contains(problem_with(handle), "has no name"));
  }
  HeapHandle handle = owner.handle();
  handle.name.fill('a');
  REQUIRE(contains(problem_with(handle), "has no name"));
}

TEST_CASE("another process in the owner's place is noticed") {
  HeapOwner owner(mebibyte, Backing::memfd);
  HeapOwner other(mebibyte, Backing::memfd);
  HeapHandle handle = owner.handle();
  // As if the owner had ended and its number had gone to the other one, same descriptor and size.
  handle.pid = other.handle().pid;
  handle.file = other.handle().file;
  REQUIRE(contains(problem_with(handle), "is not what was found"));
  // A descriptor that is no file, and one that is not there.
  int pipe_ends[2];
  REQUIRE(::pipe(pipe_ends) == 0);
  handle.pid = ::getpid();
  handle.file = pipe_ends[0];
  REQUIRE(contains(problem_with(handle), "is not what was found"));
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
  handle.file = -5;
  REQUIRE(contains(problem_with(handle), "can't be reached"));
  handle.pid = -1;
  REQUIRE(contains(problem_with(handle), "can't be reached"));
}

TEST_CASE("a later heap behind the same descriptor is not mistaken for the first") {
  std::optional<SharedHeap> heap = make_heap(mebibyte, Backing::memfd);
  const HeapHandle old_handle = heap->handle();
  heap.reset();
  heap = make_heap(mebibyte, Backing::memfd);
  REQUIRE(heap->handle().file == old_handle.file);
  problem_with(old_handle);
  // Inode numbers are used again sooner or later.
  HeapHandle handle = old_handle;
  handle.inode = heap->handle().inode;
  REQUIRE(contains(problem_with(handle), "another mark"));
}

TEST_CASE("a heap in another PID namespace is refused before its number is trusted") {
  HeapOwner owner(mebibyte, Backing::memfd);
  HeapHandle handle = owner.handle();
  REQUIRE(handle.pid_namespace != 0);
  ++handle.pid_namespace;
  REQUIRE(contains(problem_with(handle), "another PID namespace"));
}

TEST_CASE("no process can cut a memfd heap short") {
  const auto heap = make_heap(mebibyte, Backing::memfd);
  REQUIRE(::ftruncate(static_cast<int>(heap.handle().file), 0) != 0);
  REQUIRE(errno == EPERM);
}

TEST_CASE("memory comes when it is touched") {
  const auto heap = make_heap(std::size_t{64} << 30, Backing::memfd);
  heap.bytes().back() = std::byte{1};
  struct stat status {};
  REQUIRE(::fstat(static_cast<int>(heap.handle().file), &status) == 0);
  REQUIRE(status.st_blocks * 512 < 8 * static_cast<std::int64_t>(mebibyte));
}

TEST_CASE("heaps of impossible sizes are refused in words") {
  for (const Backing backing : {Backing::automatic, Backing::memfd, Backing::posix}) {
    for (const std::size_t bytes : {std::size_t{0}, SIZE_MAX, SIZE_MAX / 2}) {
      const auto heap = SharedHeap::create(bytes, backing);
      REQUIRE(heap.failed());
      REQUIRE(contains(heap.reason(), "no heaps of"));
    }
  }
}

TEST_CASE("a limit of file sizes gives an error, not a signal") {
  for (const Backing backing : {Backing::memfd, Backing::posix}) {
    ChildProcess child([&] {
      const rlimit limit{65536, 65536};
      if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
      const auto heap = SharedHeap::create(mebibyte, backing);
      return heap.failed() && heap.reason().find("ulimit -f") != std::string::npos ? 0 : 1;
    });
    REQUIRE(child.wait() == 0);
    REQUIRE(names_of(child.pid()).empty());
  }
}
