// Processes that hang, and how they are ended.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failure/node.hpp"
#include "failure/process_handle.hpp"
#include "support/catch.hpp"

using namespace detour;
using namespace detour::test;

namespace {

DetectorOptions impatient() {
  DetectorOptions options;
  options.hang_limit = std::chrono::milliseconds(1500);
  return options;
}

ChildProcess sleeper() {
  return ChildProcess([] {
    for (;;) ::pause();
    return 0;
  });
}

bool is_zombie_or_gone(pid_t pid) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == pid;
}

}  // namespace

TEST_CASE("a stopped process is killed, and found dead by all") {
  Node node(4, impatient());
  node.signal(2, SIGSTOP);
  for (const std::size_t member : {0U, 1U, 3U}) {
    REQUIRE(eventually([&] { return node.seen(member, 2) == PeerState::confirmed; }));
    REQUIRE(node.sees_dead(member, {2}));
  }
  REQUIRE(node.process(2).wait() == -SIGKILL);
}

TEST_CASE("a stopped process that nobody waits for stays") {
  DetectorOptions options = impatient();
  options.waits_for = [](PeerId peer) { return peer != 2; };
  Node node(4, options);
  node.signal(2, SIGSTOP);
  node.signal(1, SIGSTOP);
  REQUIRE(eventually([&] { return node.sees_dead(0, {1}); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  REQUIRE(node.sees_dead(0, {1}));
  node.signal(2, SIGCONT);
  REQUIRE(eventually([&] { return node.sees_dead(2, {1}); }));
}

TEST_CASE("a process whose collective operation does not get on is killed") {
  // All are inside one; that of the second member stays where it is.
  const auto second = make_shared_scratch<std::atomic<pid_t>>();
  DetectorOptions options = impatient();
  std::uint64_t turn = 0;
  options.own_progress = [=]() mutable {
    return OwnProgress{true, ::getpid() == second->load() ? 0 : ++turn};
  };
  Node node(3, options);
  second->store(node.process(1).pid());
  REQUIRE(eventually([&] { return node.sees_dead(0, {1}) && node.sees_dead(2, {1}); }));
  REQUIRE(node.process(1).wait() == -SIGKILL);
}

TEST_CASE("a process that goes on before its time is over stays") {
  Node node(3, impatient());
  node.signal(1, SIGSTOP);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  node.signal(1, SIGCONT);
  node.signal(2, SIGKILL);
  REQUIRE(eventually([&] { return node.sees_dead(0, {2}) && node.sees_dead(1, {2}); }));
}

TEST_CASE("a node that is stopped and continued as a whole loses nobody") {
  Node node(4, impatient());
  for (std::size_t member = 0; member < 4; ++member) node.signal(member, SIGSTOP);
  std::this_thread::sleep_for(std::chrono::seconds(3));
  for (std::size_t member = 0; member < 4; ++member) node.signal(member, SIGCONT);
  node.signal(3, SIGKILL);
  REQUIRE(eventually([&] { return node.all_others_see_dead({3}); }));
}

TEST_CASE("a fence is told of and found as a death") {
  const auto records = make_shared_scratch<std::array<LifeRecord, 2>>();
  ChildProcess peer([&] {
    auto detector = FailureDetector::start({1, ::getpid(), &(*records)[1]}, ring_only());
    for (;;) ::pause();
    return 0;
  });
  REQUIRE(eventually([&] { return (*records)[1].lock.life() == Life::alive; }));
  std::mutex mutex;
  std::vector<std::string> notes;
  DetectorOptions options;
  options.on_note = [&](std::string_view note) {
    const std::lock_guard lock(mutex);
    notes.emplace_back(note);
  };
  auto detector = FailureDetector::start({0, ::getpid(), &(*records)[0]}, options);
  REQUIRE(detector.ok());
  FailureDetector& own = *detector.value();
  own.add_peer({1, peer.pid(), &(*records)[1]});
  REQUIRE(own.fence(7, "not there").refused());
  const auto fenced = own.fence(1, "it bores us");
  REQUIRE(fenced.ok());
  REQUIRE(fenced.value());
  REQUIRE(eventually([&] { return own.state(1) == PeerState::confirmed; }));
  REQUIRE(own.dead_peers() == std::vector<PeerId>{1});
  REQUIRE_FALSE(own.fence(1, "once more").value());
  std::vector<PeerState> states;
  for (const PeerChange& change : own.take_changes()) states.push_back(change.state);
  REQUIRE(states ==
          std::vector<PeerState>{PeerState::suspected, PeerState::dead, PeerState::confirmed});
  REQUIRE(own.change_count() == 3);
  const std::lock_guard lock(mutex);
  REQUIRE(notes.size() == 1);
  REQUIRE(notes[0].find("it bores us") != std::string::npos);
}

TEST_CASE("who was killed stays suspected until it is found dead") {
  const auto record = make_shared_scratch<LifeRecord>();
  ChildProcess peer([&] {
    auto detector = FailureDetector::start({1, ::getpid(), record.get()}, ring_only());
    for (;;) ::pause();
    return 0;
  });
  REQUIRE(eventually([&] { return record->lock.life() == Life::alive; }));
  PeerBook book(0, std::chrono::seconds(10));
  REQUIRE(book.add({1, peer.pid(), record.get()}));
  Findings findings;
  REQUIRE(book.fence(1, "for the test", findings).ok());
  record->progress.beat({});
  book.look_for_hangs([](PeerId) { return true; }, findings);
  REQUIRE(book.state(1) == PeerState::suspected);
  peer.wait();
  book.look(findings);
  REQUIRE(book.state(1) == PeerState::confirmed);
}

TEST_CASE("who hangs and can't be killed is dead to all, and only the first says so") {
  LifeRecord record;
  LifeHolder holder;
  bool holds = false;
  std::atomic<bool> ends{false};
  // Its number means nothing here, as in another PID namespace.
  std::thread peer([&] {
    holds = holder.begin();
    holder.hold(record.lock);
    while (!ends) std::this_thread::yield();
    holder.let_go();
  });
  REQUIRE(eventually([&] { return record.lock.life() == Life::alive; }));
  PeerBook book(0, std::nullopt);
  PeerBook another(2, std::nullopt);
  Findings findings;
  Findings others;
  for (PeerBook* each : {&book, &another}) {
    REQUIRE(each->add({1, 0, &record, nullptr, {}, "rank 5"}));
  }
  REQUIRE(book.fence(1, "for the test", findings).refused());
  another.fence(1, "for the test", others);
  book.look(findings);
  REQUIRE(book.state(1) == PeerState::dead);
  REQUIRE(record.lock.life() == Life::dead);
  REQUIRE(findings.notes ==
          std::vector<std::string>{"rank 5 hangs: for the test; it is shut out, for it can't be "
                                   "killed: its process is not one of this PID namespace"});
  REQUIRE(others.notes.empty());
  ends = true;
  peer.join();
  REQUIRE(holds);
}

TEST_CASE("a handle tells the end of its process, before it is reaped and after") {
  ChildProcess child = sleeper();
  const ProcessHandle handle = ProcessHandle::open(child.pid());
  REQUIRE(handle.is_exact());
  REQUIRE_FALSE(handle.has_ended());
  REQUIRE(handle.kill().ok());
  REQUIRE(eventually([&] { return is_zombie_or_gone(child.pid()); }));
  REQUIRE(eventually([&] { return handle.has_ended(); }));
  REQUIRE(child.wait() == -SIGKILL);
  REQUIRE(handle.has_ended());
  REQUIRE_FALSE(handle.kill().value());
}

TEST_CASE("a handle by number alone is careful") {
  ChildProcess child = sleeper();
  ProcessHandle handle = ProcessHandle::open(child.pid());
  handle.keep_number_only();
  REQUIRE(handle.kill().refused());
  ::kill(child.pid(), SIGKILL);
  REQUIRE(eventually([&] { return is_zombie_or_gone(child.pid()); }));
  REQUIRE_FALSE(handle.has_ended());
  child.wait();
  REQUIRE(handle.has_ended());
}

TEST_CASE("a handle of no process knows nothing and does nothing") {
  const ProcessHandle handle = ProcessHandle::open(0);
  REQUIRE_FALSE(handle.can_tell());
  REQUIRE_FALSE(handle.has_ended());
  REQUIRE(handle.kill().refused());
}
