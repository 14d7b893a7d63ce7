#include "failure/life_lock.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <thread>

#include "failure/failure_detector.hpp"
#include "failure/life_holder.hpp"
#include "failure/word_sleep.hpp"
#include "shm/heap_arena.hpp"
#include "shm/shared_heap.hpp"
#include "support/catch.hpp"
#include "support/child_process.hpp"

using namespace detour;
using namespace detour::test;

namespace {

using Locks = std::array<LifeLock, 3>;

[[noreturn]] void stay() {
  for (;;) ::pause();
}

ChildProcess hold_all(Locks& locks, bool on_main_thread) {
  return ChildProcess([&locks, on_main_thread] {
    const auto hold = [&locks] {
      static LifeHolder holder;
      if (!holder.begin()) ::_exit(3);
      for (LifeLock& lock : locks) holder.hold(lock);
      stay();
    };
    if (on_main_thread) hold();
    std::thread(hold).join();
    return 0;
  });
}

bool all_are(const Locks& locks, Life life) {
  for (const LifeLock& lock : locks) {
    if (lock.life() != life) return false;
  }
  return true;
}

int sleep_until_dead(const LifeLock& lock, std::chrono::nanoseconds slice) {
  for (;;) {
    const auto glance = lock.glance();
    if (LifeLock::life(glance) == Life::dead) return 0;
    const SeenWord word{&lock.word(), glance};
    sleep_on_words({&word, 1}, slice);
  }
}

}  // namespace

TEST_CASE("memory of zeros is a lock of nobody") {
  const LifeLock lock;
  REQUIRE(lock.life() == Life::departed);
}

TEST_CASE("the kernel marks all locks of a process that is killed") {
  for (const bool on_main_thread : {true, false}) {
    const auto locks = make_shared_scratch<Locks>();
    ChildProcess owner = hold_all(*locks, on_main_thread);
    REQUIRE(eventually([&] { return all_are(*locks, Life::alive); }));
    owner.kill_and_wait();
    REQUIRE(all_are(*locks, Life::dead));
  }
}

TEST_CASE("a death ends a sleep on its lock") {
  const auto locks = make_shared_scratch<Locks>();
  ChildProcess owner = hold_all(*locks, false);
  REQUIRE(eventually([&] { return all_are(*locks, Life::alive); }));
  ChildProcess sleeper([&] { return sleep_until_dead((*locks)[1], std::chrono::hours(1)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  owner.kill_and_wait();
  REQUIRE(sleeper.wait() == 0);
}

TEST_CASE("a thread that lets go of its locks and ends has departed") {
  const auto locks = make_shared_scratch<Locks>();
  LifeHolder holder;
  bool was_alive = false;
  std::thread([&] {
    if (!holder.begin()) return;
    for (LifeLock& lock : *locks) holder.hold(lock);
    was_alive = all_are(*locks, Life::alive);
    holder.let_go();
  }).join();
  REQUIRE(was_alive);
  REQUIRE(all_are(*locks, Life::departed));
}

TEST_CASE("a thread that ends without letting go of its locks has died") {
  const auto locks = make_shared_scratch<Locks>();
  LifeHolder holder;
  std::thread([&] {
    if (!holder.begin()) return;
    for (LifeLock& lock : *locks) holder.hold(lock);
  }).join();
  REQUIRE(all_are(*locks, Life::dead));
}

TEST_CASE("who knows of a death can mark it, but not over a departure") {
  const auto locks = make_shared_scratch<Locks>();
  (*locks)[0].mark_dead();
  REQUIRE((*locks)[0].life() == Life::departed);
  ChildProcess owner = hold_all(*locks, false);
  REQUIRE(eventually([&] { return all_are(*locks, Life::alive); }));
  ChildProcess sleeper([&] { return sleep_until_dead((*locks)[0], std::chrono::hours(1)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  (*locks)[0].mark_dead();
  REQUIRE(sleeper.wait() == 0);
  REQUIRE((*locks)[1].life() == Life::alive);
}

TEST_CASE("a sleep on several words ends with news on any of them") {
  if (!can_sleep_on_several_words()) {
    WARN("skipped: this kernel can't sleep on several words");
    return;
  }
  for (const std::size_t told : {0U, 1U, 2U}) {
    const auto locks = make_shared_scratch<Locks>();
    ChildProcess sleeper([&] {
      std::array<SeenWord, 3> words;
      for (std::size_t index = 0; index < 3; ++index) words[index] = {&(*locks)[index].news(), 0};
      while ((*locks)[told].news().load() == 0) sleep_on_words(words, std::chrono::hours(1));
      return 0;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    (*locks)[told].tell_news();
    REQUIRE(sleeper.wait() == 0);
  }
}

TEST_CASE("a sleep on words ends when its time is over") {
  const LifeLock lock;
  const SeenWord word{&lock.news(), 0};
  sleep_on_words({&word, 1}, std::chrono::milliseconds(5));
  SUCCEED();
}

// As the library has it: each process's record in a heap of its own, which the other opens.
TEST_CASE("a death is found through a heap that its owner made") {
  struct Shared {
    HeapHandle handle;
    std::atomic<std::size_t> offset{0};
  };
  const auto shared = make_shared_scratch<Shared>();
  ChildProcess owner([&] {
    auto heap = SharedHeap::create(std::size_t{64} << 20);
    if (!heap.ok()) return 1;
    HeapArena arena(heap.value());
    static_cast<void>(arena.allocate(100));
    const auto block = arena.allocate(sizeof(LifeRecord), alignof(LifeRecord));
    const auto bytes = heap.value().bytes().subspan(4096);
    std::memset(bytes.data(), 1, bytes.size());
    auto& record = LifeRecord::create_at(arena.memory_of(*block).data());
    auto detector = FailureDetector::start({1, ::getpid(), &record});
    if (!detector.ok()) return 2;
    shared->handle = heap.value().handle();
    shared->offset = block->offset;
    stay();
  });
  REQUIRE(eventually([&] { return shared->offset != 0; }));
  auto opened = SharedHeap::open(shared->handle);
  REQUIRE(opened.ok());
  const auto heap = std::make_shared<SharedHeap>(std::move(opened).value());
  LifeRecord own;
  auto detector = FailureDetector::start({0, ::getpid(), &own});
  REQUIRE(detector.ok());
  FailureDetector& finder = *detector.value();
  finder.add_peer(
      {1, owner.pid(), &LifeRecord::at(heap->bytes().data() + shared->offset), nullptr, heap});
  REQUIRE(finder.state(1) == PeerState::alive);
  REQUIRE(finder.can_be_confirmed(1));
  REQUIRE_FALSE(finder.can_be_confirmed(2));
  owner.kill_and_wait();
  REQUIRE(eventually([&] { return finder.state(1) == PeerState::confirmed; }));
  finder.depart();
  REQUIRE(own.lock.life() == Life::departed);
}
