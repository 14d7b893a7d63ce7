// Which way slots are written, on machines of which the test knows what each way costs.
#include <vector>

#include "operations/slot_writing.hpp"
#include "support/catch.hpp"

using namespace detour;
using Way = SlotWriting::Way;

namespace {

constexpr std::size_t bytes_min = 4096;
constexpr std::size_t much = 64 << 10;

// How many ns it takes to write a byte.
struct Machine {
  double through_caches_ns;
  double past_caches_ns;
};
constexpr Machine one_cache{.through_caches_ns = 0.02, .past_caches_ns = 0.05};
constexpr Machine shared_cache{.through_caches_ns = 0.19, .past_caches_ns = 0.09};
constexpr Machine no_shared_cache{.through_caches_ns = 0.50, .past_caches_ns = 0.035};

void learn(SlotWriting& writing, const Machine& machine) {
  for (int time = 0; time < 8; ++time) {
    writing.note(machine.through_caches_ns, machine.past_caches_ns);
  }
}

}  // namespace

TEST_CASE("slot writing: through the caches as long as nothing is known") {
  SlotWriting writing(bytes_min);
  CHECK(writing.way(much) == Way::through_caches);
  for (int time = 0; time < 7; ++time) writing.note(10, 1);
  CHECK(writing.way(much) == Way::through_caches);
}

TEST_CASE("slot writing: through the caches where that takes less time") {
  SlotWriting writing(bytes_min);
  learn(writing, one_cache);
  CHECK(writing.way(bytes_min) == Way::through_caches);
  CHECK(writing.way(much) == Way::through_caches);
}

TEST_CASE("slot writing: past the caches where it saves more than reading from memory costs") {
  SlotWriting writing(1024);
  learn(writing, shared_cache);
  CHECK(writing.way(much) == Way::through_caches);
  learn(writing, no_shared_cache);
  CHECK(writing.way(much) == Way::past_caches);
  CHECK(writing.way(bytes_min) == Way::past_caches);
  // It takes a while until the processor sees what is going to be read.
  learn(writing, {.through_caches_ns = 0.35, .past_caches_ns = 0.05});
  CHECK(writing.way(much) == Way::past_caches);
  CHECK(writing.way(1024) == Way::through_caches);
}

TEST_CASE(
    "slot writing: what is read on this core and on others is written as suits both together") {
  SlotWriting writing(bytes_min);
  for (int time = 0; time < 8; ++time) {
    const Machine& machine = time % 2 == 0 ? no_shared_cache : shared_cache;
    writing.note(machine.through_caches_ns, machine.past_caches_ns);
  }
  CHECK(writing.way(much) == Way::past_caches);
}

TEST_CASE("slot writing: how much it saves counts, not how many times as fast it is") {
  SlotWriting writing(bytes_min);
  learn(writing, {.through_caches_ns = 0.02, .past_caches_ns = 0.001});
  CHECK(writing.way(much) == Way::through_caches);
}

TEST_CASE("slot writing: follows a machine that changes") {
  SlotWriting writing(bytes_min);
  for (int turn = 0; turn < 3; ++turn) {
    learn(writing, one_cache);
    CHECK(writing.way(much) == Way::through_caches);
    learn(writing, no_shared_cache);
    CHECK(writing.way(much) == Way::past_caches);
  }
}

TEST_CASE("slot writing: one write that was interrupted changes nothing") {
  SlotWriting writing(bytes_min);
  learn(writing, one_cache);
  writing.note(1000, 0.05);
  CHECK(writing.way(much) == Way::through_caches);
  learn(writing, no_shared_cache);
  writing.note(0.05, 1000);
  CHECK(writing.way(much) == Way::past_caches);
}

TEST_CASE("slot writing: little always goes through the caches, and is not measured") {
  SlotWriting writing(bytes_min);
  learn(writing, no_shared_cache);
  CHECK(writing.way(bytes_min - 1) == Way::through_caches);
  const std::vector<std::byte> data(bytes_min);
  std::vector<std::byte> slot(bytes_min);
  while (!writing.is_due()) writing.copy(slot.data(), data.data(), bytes_min);
  for (int time = 0; time < 3; ++time) {
    CHECK(writing.is_due());
    writing.copy(slot.data(), data.data(), bytes_min - 1);
  }
  writing.copy(slot.data(), data.data(), bytes_min);
  CHECK_FALSE(writing.is_due());
}

TEST_CASE("slot writing: is measured soon, and then now and then") {
  SlotWriting writing(bytes_min);
  const std::vector<std::byte> data(much);
  std::vector<std::byte> slot(much);
  int measured_count = 0;
  for (int time = 0; time < 16 + 170; ++time) {
    measured_count += writing.is_due() ? 1 : 0;
    writing.copy(slot.data(), data.data(), much);
  }
  // 16 others in between: a MiB.
  CHECK(measured_count == 8 + 10);
}

TEST_CASE("slot writing: copies all there is, whichever way, measured or not") {
  for (const Machine& machine : {one_cache, no_shared_cache}) {
    SlotWriting writing(1);
    for (std::size_t bytes = 1; bytes < 50'000; bytes += bytes < 400 ? 1 : 997) {
      std::vector<std::byte> from(bytes);
      for (std::size_t at = 0; at < bytes; ++at) from[at] = static_cast<std::byte>(at * 7 + bytes);
      std::vector<std::byte> slot(bytes + 1, std::byte{0x5a});
      writing.copy(slot.data(), from.data(), bytes);
      CHECK(slot[bytes] == std::byte{0x5a});
      slot.pop_back();
      CHECK(slot == from);
      learn(writing, machine);
    }
  }
}
