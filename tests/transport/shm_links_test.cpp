// Queues in shared memory by themselves: memory that comes and goes, and epochs.
#include "transport/shm_links.hpp"

#include <atomic>
#include <cstring>
#include <thread>

#include "support/catch.hpp"
#include "transport/shm_node.hpp"

using namespace detour;
using namespace detour::test;

namespace {

Program sends(Rank to, std::uint32_t window_count) {
  Program program;
  program.outgoing.push_back({to, Lane::reduce, window_count, 1000});
  return program;
}

Program receives(Rank from) {
  Program program;
  program.incoming.push_back({from, Lane::reduce, 1, 1000});
  return program;
}

// Two ranks in one thread: 0 sends, 1 receives.
struct Pair {
  explicit Pair(std::size_t heap_bytes = std::size_t{1} << 20) : node(2, heap_bytes) {}

  // Leaves the memory to operations that come later.
  bool prepare(const Program& program, std::size_t message_bytes_max) {
    return ShmTransport(from.links(), program, message_bytes_max, 0).has_room();
  }

  bool send(std::uint32_t value, std::uint64_t epoch, std::size_t bytes = sizeof(std::uint32_t)) {
    ShmTransport transport(from.links(), {}, 0, epoch);
    const auto room = transport.reserve(1, Lane::reduce, bytes);
    if (room.empty()) return false;
    std::memcpy(room.data(), &value, sizeof value);
    transport.send(1, Lane::reduce);
    return true;
  }

  // 0 if there is nothing.
  std::uint32_t receive(std::uint64_t epoch) {
    ShmTransport transport(to.links(), {}, 0, epoch);
    const auto message = transport.peek(0, Lane::reduce);
    if (message.empty()) return 0;
    std::uint32_t value = 0;
    std::memcpy(&value, message.data(), sizeof value);
    transport.release(0, Lane::reduce);
    return value;
  }

  ShmNode node;
  ShmRank from{node, 0};
  ShmRank to{node, 1};
};

}  // namespace

TEST_CASE("a queue holds its window and keeps the order") {
  Pair pair;
  REQUIRE(pair.prepare(sends(1, 3), 100));
  for (std::uint32_t round = 0; round < 10; ++round) {
    for (std::uint32_t at = 1; at <= 3; ++at) CHECK(pair.send(10 * round + at, 1));
    CHECK_FALSE(pair.send(99, 1));
    for (std::uint32_t at = 1; at <= 3; ++at) CHECK(pair.receive(1) == 10 * round + at);
    CHECK(pair.receive(1) == 0);
  }
}

TEST_CASE("a message keeps its size") {
  Pair pair;
  REQUIRE(pair.prepare(sends(1, 3), 100));
  REQUIRE(pair.send(1, 1, 77));
  ShmTransport transport(pair.to.links(), {}, 0, 1);
  CHECK(transport.peek(0, Lane::reduce).size() == 77);
  CHECK(transport.peek(0, Lane::broadcast).empty());
}

TEST_CASE("larger slots are taken only when the receiver is done with the old ones") {
  Pair pair;
  REQUIRE(pair.prepare(sends(1, 2), 64));
  REQUIRE(pair.send(1, 1));
  REQUIRE(pair.send(2, 1));
  REQUIRE(pair.prepare(sends(1, 4), 5000));
  CHECK(pair.receive(1) == 1);
  CHECK_FALSE(pair.send(3, 1, 5000));
  CHECK(pair.receive(1) == 2);
  for (std::uint32_t at = 3; at <= 6; ++at) CHECK(pair.send(at, 1, 5000));
  CHECK_FALSE(pair.send(7, 1, 5000));
  for (std::uint32_t at = 3; at <= 6; ++at) CHECK(pair.receive(1) == at);
}

TEST_CASE("slots that are large enough stay") {
  Pair pair;
  REQUIRE(pair.prepare(sends(1, 4), 5000));
  const auto used_bytes = pair.node.arena(0).used_bytes();
  REQUIRE(pair.prepare(sends(1, 2), 64));
  REQUIRE(pair.send(1, 1));
  REQUIRE(pair.prepare(sends(1, 4), 5000));
  CHECK(pair.node.arena(0).used_bytes() == used_bytes);
}

TEST_CASE("messages of former epochs are dropped, those of later ones wait") {
  Pair pair;
  REQUIRE(pair.prepare(sends(1, 4), 64));
  REQUIRE(pair.send(1, 3));
  REQUIRE(pair.send(2, 3));
  REQUIRE(pair.send(3, 5));
  CHECK(pair.receive(4) == 0);
  CHECK(pair.receive(4) == 0);
  CHECK(pair.receive(5) == 3);
}

TEST_CASE("a new attempt frees the room that a former one took") {
  Pair pair;
  REQUIRE(pair.prepare(sends(1, 2), 64));
  REQUIRE(pair.send(1, 1));
  REQUIRE(pair.send(2, 1));
  CHECK_FALSE(pair.send(3, 2));
  const auto rings = pair.node.bell(0).load();
  ShmTransport attempt(pair.to.links(), receives(0), 0, 2);
  CHECK(pair.node.bell(0).load() == rings);
  CHECK(attempt.peek(0, Lane::broadcast).empty());
  CHECK(pair.node.bell(0).load() == rings + 2);
  CHECK(pair.send(3, 2));
}

TEST_CASE("both ends ring each other's bell") {
  Pair pair;
  REQUIRE(pair.prepare(sends(1, 2), 64));
  REQUIRE(pair.send(1, 1));
  CHECK(pair.node.bell(1).load() == 1);
  CHECK(pair.node.bell(0).load() == 0);
  CHECK(pair.receive(1) == 1);
  CHECK(pair.node.bell(0).load() == 1);
}

TEST_CASE("no room in the arena: nothing new is held, and a smaller operation works") {
  Pair pair(64 << 10);
  const auto used_before = pair.node.arena(0).used_bytes();
  CHECK_FALSE(pair.prepare(sends(1, 4), std::size_t{1} << 20));
  CHECK_FALSE(pair.prepare(sends(1, 4), std::size_t{1} << 14));
  CHECK(pair.node.arena(0).used_bytes() == used_before);
  Program two_lanes = sends(1, 2);
  two_lanes.outgoing.push_back({1, Lane::broadcast, 2, 1000});
  CHECK_FALSE(pair.prepare(two_lanes, 20 << 10));
  CHECK(pair.node.arena(0).used_bytes() == used_before);
  REQUIRE(pair.prepare(two_lanes, 10 << 10));
  CHECK(pair.send(1, 1, 10 << 10));
  CHECK(pair.receive(1) == 1);
}

TEST_CASE("memory that lies idle is used for what an operation needs now") {
  Pair pair(64 << 10);
  Program broadcast;
  broadcast.outgoing.push_back({1, Lane::broadcast, 4, 1000});
  REQUIRE(pair.prepare(broadcast, 10 << 10));
  CHECK(pair.prepare(sends(1, 4), 10 << 10));
}

TEST_CASE("idle memory is given back, messages under way are not") {
  Pair pair;
  const auto used_before = pair.node.arena(0).used_bytes();
  REQUIRE(pair.prepare(sends(1, 2), 64));
  REQUIRE(pair.send(1, 1));
  const auto used_bytes = pair.node.arena(0).used_bytes();
  const auto too_early = pair.from.links().give_back();
  CHECK_FALSE(too_early.any);
  CHECK(too_early.readers == std::vector<Rank>{1});
  CHECK(pair.node.arena(0).used_bytes() == used_bytes);
  CHECK_FALSE(pair.from.links().drained());
  CHECK(pair.receive(1) == 1);
  CHECK(pair.from.links().drained());
  const auto in_time = pair.from.links().give_back();
  CHECK(in_time.any);
  CHECK(in_time.readers.empty());
  CHECK_FALSE(pair.from.links().give_back().any);
  CHECK(pair.node.arena(0).used_bytes() == used_before);
  REQUIRE(pair.prepare(sends(1, 2), 64));
  CHECK(pair.send(2, 1));
  CHECK(pair.receive(1) == 2);
}

TEST_CASE("what nobody wants to receive any more is dropped, later messages are not") {
  Pair pair;
  REQUIRE(pair.prepare(sends(1, 3), 64));
  REQUIRE(pair.send(1, 1));
  REQUIRE(pair.send(2, 2));
  REQUIRE(pair.send(3, 3));
  pair.to.links().drop_messages_before(3);
  CHECK(pair.from.links().give_back().readers == std::vector<Rank>{1});
  CHECK(pair.receive(3) == 3);
  CHECK(pair.from.links().give_back().readers.empty());
}

TEST_CASE("memory that a reader is just leaving is given back, or will be") {
  Pair pair;
  std::atomic<std::uint32_t> released_count{0};
  std::jthread reader([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (pair.receive(1) != 0) ++released_count;
    }
  });
  std::uint32_t lost_count = 0;  // rounds in which it looked as if there was nothing to wait for
  for (std::uint32_t round = 1; round <= 3000; ++round) {
    REQUIRE(pair.prepare(sends(1, 2), 64));
    REQUIRE(pair.send(round, 1));
    for (bool is_given_back = false; !is_given_back;) {
      const auto given = pair.from.links().give_back();
      if (!given.any && given.readers.empty()) ++lost_count;
      is_given_back = given.any || given.readers.empty();
    }
    while (released_count < round) std::this_thread::yield();
  }
  CHECK(lost_count == 0);
}

TEST_CASE("an operation claims its memory while the one before is still to run") {
  Pair pair;
  REQUIRE(pair.prepare(sends(1, 1), 64));
  ShmTransport payload(pair.from.links(), sends(1, 1), 5000, 3);
  ShmTransport agreement(pair.from.links(), sends(1, 2), 64, 2);
  REQUIRE(payload.has_room());
  REQUIRE(agreement.has_room());
  pair.from.links().give_back();
  // Arrives while the receiver's later operation has claimed its memory, but not begun.
  const ShmTransport later(pair.to.links(), receives(0), 0, 3);
  for (int message = 0; message < 2; ++message) {
    REQUIRE_FALSE(agreement.reserve(1, Lane::reduce, 64).empty());
    agreement.send(1, Lane::reduce);
  }
  ShmTransport received(pair.to.links(), receives(0), 0, 2);
  for (int message = 0; message < 2; ++message) {
    CHECK(received.peek(0, Lane::reduce).size() == 64);
    received.release(0, Lane::reduce);
  }
  REQUIRE_FALSE(payload.reserve(1, Lane::reduce, 5000).empty());
  payload.send(1, Lane::reduce);
}

TEST_CASE("a claim that can't be fulfilled takes nothing from the others") {
  Pair pair(64 << 10);
  ShmTransport held(pair.from.links(), sends(1, 2), 10 << 10, 1);
  REQUIRE(held.has_room());
  ShmTransport refused(pair.from.links(), sends(1, 4), 20 << 10, 2);
  CHECK_FALSE(refused.has_room());
  CHECK(refused.reserve(1, Lane::reduce, 64).empty());
  const auto room = held.reserve(1, Lane::reduce, 10 << 10);
  REQUIRE(room.size() == 10 << 10);
  constexpr std::uint32_t value = 7;
  std::memcpy(room.data(), &value, sizeof value);
  held.send(1, Lane::reduce);
  CHECK(pair.receive(1) == value);
}

TEST_CASE("a dead receiver holds no memory") {
  Pair pair;
  const auto used_before = pair.node.arena(0).used_bytes();
  REQUIRE(pair.prepare(sends(1, 2), 64));
  REQUIRE(pair.send(1, 1));
  pair.from.links().drop_peer(1);
  CHECK(pair.node.arena(0).used_bytes() == used_before);
}
