// Detectors that know different peers, or get to know them late: a few in one process of the test.
#include <signal.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "failure/failure_detector.hpp"
#include "failure/node.hpp"
#include "support/catch.hpp"

using namespace detour;
using namespace detour::test;

namespace {

using Records = std::array<LifeRecord, 4>;

// In a process of its own, holding a record until it is killed.
ChildProcess keep_alive(Records& records, std::size_t member) {
  ChildProcess keeper([&records, member] {
    const auto detector =
        FailureDetector::start({member, ::getpid(), &records[member]}, ring_only());
    for (;;) ::pause();
    return 0;
  });
  REQUIRE(eventually([&] { return records[member].lock.life() == Life::alive; }));
  return keeper;
}

std::unique_ptr<FailureDetector> start(Records& records, PeerId own,
                                       const DetectorOptions& options = ring_only()) {
  auto detector = FailureDetector::start({own, ::getpid(), &records[own]}, options);
  REQUIRE(detector.ok());
  return std::move(detector).value();
}

bool finds_dead(const FailureDetector& detector, PeerId peer) {
  return eventually([&] { return has_died(detector.state(peer)); });
}

}  // namespace

// The kernel wakes one of the two, which has to wake the other.
TEST_CASE("two that watch the same process without knowing of each other both find its death") {
  const auto records = make_shared_scratch<Records>();
  ChildProcess victim = keep_alive(*records, 3);
  const auto first = start(*records, 0);
  const auto second = start(*records, 1);
  first->add_peer({3, victim.pid(), &(*records)[3]});
  second->add_peer({3, victim.pid(), &(*records)[3]});
  // Both should be asleep by now; the test is easier to pass if they aren't.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  victim.kill_and_wait();
  REQUIRE(finds_dead(*first, 3));
  REQUIRE(finds_dead(*second, 3));
}

TEST_CASE(
    "a peer that is added is watched at once, though it is not the nearest, or dead already") {
  const auto records = make_shared_scratch<Records>();
  ChildProcess early = keep_alive(*records, 2);
  ChildProcess late = keep_alive(*records, 1);
  ChildProcess dead = keep_alive(*records, 3);
  const auto detector = start(*records, 0);
  detector->add_peer({2, early.pid(), &(*records)[2]});
  REQUIRE(detector->state(1) == PeerState::departed);  // not known
  detector->add_peer({1, late.pid(), &(*records)[1]});
  detector->add_peer({1, late.pid(), &(*records)[1]});
  REQUIRE(detector->state(1) == PeerState::alive);
  dead.kill_and_wait();
  detector->add_peer({3, dead.pid(), &(*records)[3]});
  REQUIRE(finds_dead(*detector, 3));
  late.kill_and_wait();
  REQUIRE(finds_dead(*detector, 1));
  early.kill_and_wait();
  REQUIRE(finds_dead(*detector, 2));
  REQUIRE(detector->dead_peers() == std::vector<PeerId>{1, 2, 3});
}

TEST_CASE("a process of another PID namespace is shut out and not killed, and never confirmed") {
  const auto records = make_shared_scratch<Records>();
  ChildProcess peer = keep_alive(*records, 1);
  DetectorOptions options;
  const auto detector = start(*records, 0, options);
  detector->add_peer({1, 0, &(*records)[1]});
  REQUIRE_FALSE(detector->can_be_confirmed(1));
  REQUIRE(detector->fence(1, "a try").refused());
  REQUIRE(finds_dead(*detector, 1));
  REQUIRE(::kill(peer.pid(), 0) == 0);
  peer.kill_and_wait();
  detector->look();
  REQUIRE(detector->state(1) == PeerState::dead);
}

TEST_CASE("every record of a process tells of its end") {
  const auto records = make_shared_scratch<Records>();
  auto detector = start(*records, 0);
  detector->add_own_record({0, ::getpid(), &(*records)[1]});
  REQUIRE((*records)[1].lock.life() == Life::alive);
  detector->depart();
  REQUIRE((*records)[0].lock.life() == Life::departed);
  REQUIRE((*records)[1].lock.life() == Life::departed);
  ChildProcess other([&] {
    auto own = FailureDetector::start({0, ::getpid(), &(*records)[2]}, ring_only());
    own.value()->add_own_record({0, ::getpid(), &(*records)[3]});
    for (;;) ::pause();
    return 0;
  });
  REQUIRE(eventually([&] { return (*records)[3].lock.life() == Life::alive; }));
  other.kill_and_wait();
  REQUIRE((*records)[2].lock.life() == Life::dead);
  REQUIRE((*records)[3].lock.life() == Life::dead);
}

// The lock is a word that nobody holds, so only the process handle can tell.
TEST_CASE("an end that the lock failed to tell of is found by the process handle") {
  const auto records = make_shared_scratch<Records>();
  const auto locks = make_shared_scratch<std::atomic<bool>>();
  ChildProcess peer([&] {
    // Begins in a thread whose list of locks the kernel forgets about at once.
    static LifeHolder holder;
    std::thread([&] {
      holder.begin();
      holder.hold((*records)[1].lock);
      static LifeHolder other;
      other.begin();
    }).join();
    *locks = true;
    for (;;) ::pause();
    return 0;
  });
  REQUIRE(eventually([&] { return locks->load(); }));
  REQUIRE((*records)[1].lock.life() == Life::alive);
  DetectorOptions options;
  options.slice = std::chrono::milliseconds(20);
  const auto detector = start(*records, 0, options);
  detector->add_peer({1, peer.pid(), &(*records)[1]});
  peer.kill_and_wait();
  REQUIRE(eventually([&] { return detector->state(1) == PeerState::confirmed; }));
  REQUIRE((*records)[1].lock.life() == Life::dead);
}

TEST_CASE("changes are told to whoever asked, once each") {
  const auto records = make_shared_scratch<Records>();
  const auto doorbell = make_shared_scratch<Counter>();
  ChildProcess peer = keep_alive(*records, 1);
  std::atomic<int> call_count{0};
  DetectorOptions options = ring_only();
  options.on_change = [&] { ++call_count; };
  auto started = FailureDetector::start({0, ::getpid(), &(*records)[0], doorbell.get()}, options);
  REQUIRE(started.ok());
  FailureDetector& detector = *started.value();
  detector.add_peer({1, peer.pid(), &(*records)[1]});
  REQUIRE(detector.change_count() == 0);
  peer.kill_and_wait();
  REQUIRE(eventually([&] { return call_count > 0; }));
  detector.look();
  REQUIRE(doorbell->load() > 0);
  REQUIRE(detector.change_count() == 2);  // dead, confirmed
  REQUIRE(detector.take_changes().size() == 2);
  REQUIRE(detector.take_changes().empty());
}
