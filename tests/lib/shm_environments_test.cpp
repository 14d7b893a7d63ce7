// Heaps in surroundings that are hard to make: each test makes its own in a child process, or says
// why it can't.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "shm/heap_name.hpp"
#include "shm/shared_heap.hpp"
#include "shm/stale_heaps.hpp"
#include "support/catch.hpp"
#include "support/child_process.hpp"
#include "support/contains.hpp"
#include "support/heap_owner.hpp"
#include "support/make_heap.hpp"

using namespace detour;
using namespace detour::test;

namespace {

constexpr int skipped = 100;

// What a child has to say.
struct Words {
  std::array<char, 400> text{};

  void set(const std::string& words) {
    std::copy_n(words.begin(), std::min(words.size(), text.size() - 1), text.begin());
  }
  std::string str() const { return text.data(); }
};

int skip(Words& words, const char* what) {
  words.set(std::string(what) + ": " + std::strerror(errno));
  return skipped;
}

bool was_skipped(ChildProcess& child, const Words& words) {
  if (child.wait() != skipped) return false;
  std::printf("skipped: %s\n", words.str().c_str());
  return true;
}

// A /dev/shm of this size, for this process alone.
bool enter_small_shared_memory(const char* options) {
  // With a user namespace of its own a process may do it without being root.
  if (::geteuid() != 0 && ::unshare(CLONE_NEWUSER) != 0) return false;
  return ::unshare(CLONE_NEWNS) == 0 &&
         ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("tmpfs", "/dev/shm", "tmpfs", 0, options) == 0;
}

bool is_in_shared_memory(const std::string& name) {
  return ::access(("/dev/shm/" + name).c_str(), F_OK) == 0;
}

// A file as a heap's owner would leave it, by default once it has been locked. Gives its descriptor.
int forge_heap(const HeapName& name, off_t bytes = mebibyte) {
  const int file =
      ::shm_open(("/" + name.text()).c_str(), O_RDWR | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
  return file >= 0 && ::ftruncate(file, bytes) == 0 ? file : -1;
}

// Tests run side by side: those that remove or count stale heaps have to take turns.
FileDescriptor lock_shared_memory() {
  FileDescriptor folder(::open("/dev/shm", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  REQUIRE(::flock(folder.number(), LOCK_EX) == 0);
  return folder;
}

pid_t ended_process() {
  ChildProcess child([] { return 0; });
  child.wait();
  return child.pid();
}

}  // namespace

TEST_CASE("a /dev/shm that is too small gives an error at creation, and memfd does not mind") {
  const auto words = make_shared_scratch<Words>();
  ChildProcess child([&] {
    if (!enter_small_shared_memory("size=1m")) return skip(*words, "can't mount a small /dev/shm");
    const auto large = SharedHeap::create(2 * mebibyte, Backing::posix);
    words->set(large.reason());
    if (!large.failed() || !names_of(::getpid()).empty()) return 1;
    const auto small = SharedHeap::create(mebibyte / 2, Backing::posix);
    if (!small.ok()) return 2;
    std::memset(small.value().bytes().data(), 1, mebibyte / 2);
    // The rest is not enough for a second one.
    if (!SharedHeap::create(mebibyte / 2, Backing::posix).failed()) return 3;
    const auto memfd = SharedHeap::create(2 * mebibyte, Backing::memfd);
    if (!memfd.ok()) return 4;
    std::memset(memfd.value().bytes().data(), 1, 2 * mebibyte);
    return 0;
  });
  if (was_skipped(child, *words)) return;
  REQUIRE(child.wait() == 0);
  REQUIRE(contains(words->str(), "/dev/shm has no room for a heap of"));
}

TEST_CASE("a heap from another PID namespace is refused, but shared through /dev/shm") {
  const FileDescriptor turn = lock_shared_memory();
  struct Shared {
    Words words;
    HeapHandle memfd, posix;
    std::atomic<bool> is_ready;
  };
  const auto shared = make_shared_scratch<Shared>();
  ChildProcess child([&] {
    if (::geteuid() != 0 && ::unshare(CLONE_NEWUSER) != 0) {
      return skip(shared->words, "can't make a user namespace");
    }
    if (::unshare(CLONE_NEWPID) != 0) return skip(shared->words, "can't make a PID namespace");
    ChildProcess owner([&] {
      auto memfd = SharedHeap::create(mebibyte, Backing::memfd);
      auto posix = SharedHeap::create(mebibyte, Backing::posix);
      if (!memfd.ok() || !posix.ok()) return 1;
      shared->memfd = memfd.value().handle();
      shared->posix = posix.value().handle();
      shared->is_ready = true;
      ::sleep(30);
      return 0;
    });
    if (!eventually([&] { return shared->is_ready.load(); })) return 1;
    const auto by_memfd = SharedHeap::open(shared->memfd);
    shared->words.set(by_memfd.reason());
    if (!by_memfd.refused()) return 2;
    if (!SharedHeap::open(shared->posix).ok()) return 3;
    // Its owner's number is another process's here, or nobody's: that it lives, and then doesn't, the lock tells.
    remove_stale_heaps();
    const std::string name = shared->posix.name.data();
    const bool survived = is_in_shared_memory(name);
    owner.kill_and_wait();
    remove_stale_heaps();
    const bool was_left = is_in_shared_memory(name);
    ::shm_unlink(("/" + name).c_str());
    return !survived ? 4 : was_left ? 5 : 0;
  });
  if (was_skipped(child, shared->words)) return;
  INFO(shared->words.str());
  REQUIRE(child.wait() == 0);
  REQUIRE(contains(shared->words.str(), "another PID namespace"));
}

TEST_CASE("another user's heap is refused in words") {
  const auto words = make_shared_scratch<Words>();
  HeapOwner memfd_owner(mebibyte, Backing::memfd);
  HeapOwner posix_owner(mebibyte, Backing::posix);
  ChildProcess stranger([&] {
    if (::setuid(65534) != 0) return skip(*words, "can't become another user");
    const auto by_memfd = SharedHeap::open(memfd_owner.handle());
    words->set(by_memfd.reason());
    return by_memfd.refused() && SharedHeap::open(posix_owner.handle()).refused() ? 0 : 1;
  });
  if (was_skipped(stranger, *words)) return;
  REQUIRE(stranger.wait() == 0);
  REQUIRE(contains(words->str(), "can't be reached"));
}

TEST_CASE("a heap whose owner was killed before unlinking it can be removed") {
  const FileDescriptor turn = lock_shared_memory();
  HeapOwner owner(mebibyte, Backing::posix);
  HeapOwner living(mebibyte, Backing::posix);
  const auto name = names_of(owner.process().pid());
  REQUIRE(name.size() == 1);
  remove_stale_heaps();
  REQUIRE(is_in_shared_memory(name[0]));
  REQUIRE(owner.process().kill_and_wait() == -SIGKILL);
  REQUIRE(is_in_shared_memory(name[0]));
  REQUIRE(remove_stale_heaps() >= 1);
  REQUIRE_FALSE(is_in_shared_memory(name[0]));
  REQUIRE(SharedHeap::open(living.handle()).ok());
  living.unlink();
}

TEST_CASE("a heap is removed whoever has its owner's number now") {
  const FileDescriptor turn = lock_shared_memory();
  const HeapName name{::geteuid(), ::getpid(), 5};
  const FileDescriptor file(forge_heap(name));
  REQUIRE(file.is_open());
  remove_stale_heaps();
  CHECK_FALSE(is_in_shared_memory(name.text()));
  ::shm_unlink(("/" + name.text()).c_str());
}

TEST_CASE("a heap that its owner may be about to lock is left alone until it is old") {
  const FileDescriptor turn = lock_shared_memory();
  const HeapName name{::geteuid(), ended_process(), 6};  // as if in another PID namespace
  const FileDescriptor file(forge_heap(name, 0));
  REQUIRE(file.is_open());
  remove_stale_heaps();
  CHECK(is_in_shared_memory(name.text()));
  const timespec long_ago[2] = {{1000, 0}, {1000, 0}};
  REQUIRE(::futimens(file.number(), long_ago) == 0);
  remove_stale_heaps();
  CHECK_FALSE(is_in_shared_memory(name.text()));
  ::shm_unlink(("/" + name.text()).c_str());
}

TEST_CASE("stale heaps of others, locked ones and files of other names stay") {
  const FileDescriptor turn = lock_shared_memory();
  const pid_t gone = ended_process();
  const HeapName stale{::geteuid(), gone, 1}, locked{::geteuid(), gone, 2},
      claimed{::geteuid() + 1, gone, 3}, foreign{::geteuid(), gone, 4};
  const std::string other = "detour-notes-" + std::to_string(gone);
  const FileDescriptor first(forge_heap(stale)), second(forge_heap(locked)),
      third(forge_heap(claimed)), fourth(forge_heap(foreign)),
      fifth(::shm_open(("/" + other).c_str(), O_RDWR | O_CREAT | O_EXCL, S_IRUSR));
  REQUIRE(fifth.is_open());
  REQUIRE(::flock(second.number(), LOCK_SH) == 0);
  // Only root can make a file that is another user's.
  const bool is_foreign = ::fchown(fourth.number(), 65534, 65534) == 0;
  remove_stale_heaps();
  CHECK_FALSE(is_in_shared_memory(stale.text()));
  CHECK(is_in_shared_memory(locked.text()));
  CHECK(is_in_shared_memory(claimed.text()));
  CHECK(is_in_shared_memory(foreign.text()) == is_foreign);
  CHECK(is_in_shared_memory(other));
  for (const auto& name : {locked.text(), claimed.text(), foreign.text(), other}) {
    ::shm_unlink(("/" + name).c_str());
  }
}
