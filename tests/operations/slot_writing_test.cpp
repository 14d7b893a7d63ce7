// Which way slots are written, on machines of which the test knows what each way costs.
#include <vector>

#include "operations/slot_writing.hpp"
#include "support/catch.hpp"

using namespace detour;
using Way = SlotWriting::Way;

namespace {

constexpr std::size_t bytes_min = 4096;
// More than enough to find out.
constexpr int some_time = 1000;

struct Machine {
  double through_caches_ns;
  double past_caches_ns;

  double ns(Way way) const {
    return way == Way::through_caches ? through_caches_ns : past_caches_ns;
  }
};
constexpr Machine shared_cache{.through_caches_ns = 0.12, .past_caches_ns = 0.08};
constexpr Machine no_shared_cache{.through_caches_ns = 0.43, .past_caches_ns = 0.05};

// How many of these writes went past the caches.
int write(SlotWriting& writing, const Machine& machine, int count) {
  int past_count = 0;
  for (int at = 0; at < count; ++at) {
    const auto [way, is_measured] = writing.take_turn(bytes_min);
    if (is_measured) writing.note(way, machine.ns(way));
    past_count += way == Way::past_caches ? 1 : 0;
  }
  return past_count;
}

}  // namespace

TEST_CASE("slot writing: through the caches where cores share one, and hardly ever otherwise") {
  SlotWriting writing(bytes_min);
  CHECK(write(writing, shared_cache, some_time) <= some_time / 50);
  CHECK(writing.way(bytes_min) == Way::through_caches);
}

TEST_CASE("slot writing: past the caches where cores share none") {
  SlotWriting writing(bytes_min);
  CHECK(write(writing, no_shared_cache, some_time) >= some_time - some_time / 50);
  CHECK(writing.way(bytes_min) == Way::past_caches);
}

TEST_CASE("slot writing: follows a machine that changes") {
  SlotWriting writing(bytes_min);
  for (int turn = 0; turn < 3; ++turn) {
    write(writing, shared_cache, some_time);
    CHECK(writing.way(bytes_min) == Way::through_caches);
    write(writing, no_shared_cache, some_time);
    CHECK(writing.way(bytes_min) == Way::past_caches);
  }
}

TEST_CASE("slot writing: one write that was interrupted changes nothing") {
  SlotWriting writing(bytes_min);
  write(writing, shared_cache, some_time);
  writing.note(Way::through_caches, 1000);
  CHECK(writing.way(bytes_min) == Way::through_caches);
  writing.note(Way::through_caches, 1000);
  CHECK(writing.way(bytes_min) == Way::past_caches);
}

TEST_CASE("slot writing: little always goes through the caches, and is not measured") {
  SlotWriting writing(bytes_min);
  write(writing, no_shared_cache, some_time);
  CHECK(writing.way(bytes_min - 1) == Way::through_caches);
  const auto [way, is_measured] = writing.take_turn(bytes_min - 1);
  CHECK(way == Way::through_caches);
  CHECK_FALSE(is_measured);
}

TEST_CASE("slot writing: copies all there is, whichever way") {
  SlotWriting writing(64);
  for (std::size_t bytes = 1; bytes < 300; ++bytes) {
    std::vector<std::byte> from(bytes);
    for (std::size_t at = 0; at < bytes; ++at) from[at] = static_cast<std::byte>(at * 7 + bytes);
    std::vector<std::byte> slot(bytes + 1, std::byte{0x5a});
    writing.copy(slot.data(), from.data(), bytes);
    CHECK(slot[bytes] == std::byte{0x5a});
    slot.pop_back();
    CHECK(slot == from);
  }
}
