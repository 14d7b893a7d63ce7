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

// Members of a Node have a helper that beats every 20 ms.
DetectorOptions impatient() {
  DetectorOptions options;
  options.hang_limits.helper = std::chrono::milliseconds(1500);
  options.slice = std::chrono::milliseconds(50);
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
  PeerBook book(0, HangLimits{});
  REQUIRE(book.add({1, peer.pid(), record.get()}));
  Findings findings;
  REQUIRE(book.fence(1, "for the test", findings).ok());
  record->progress.made_progress();
  book.look_for_hangs(findings);
  REQUIRE(book.state(1) == PeerState::suspected);
  peer.wait();
  book.look(findings);
  REQUIRE(book.state(1) == PeerState::confirmed);
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
