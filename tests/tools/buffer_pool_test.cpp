#include "alternation/buffer_pool.hpp"

#include <set>

#include "support/catch.hpp"
#include "support/sizes.hpp"

using namespace detour::tool;
using detour::test::mib;

namespace {

constexpr std::uint64_t plenty = std::uint64_t{1} << 40;

const NumberType& number() {
  return find_number_type("float");
}

}  // namespace

TEST_CASE("buffer pool: all ranks' buffers together are larger than twice the cache") {
  for (const std::size_t bytes : {std::size_t{4}, std::size_t{1000}, std::size_t{mib}}) {
    for (const bool in_place : {false, true}) {
      for (const int rank_count : {2, 16}) {
        const std::size_t slots =
            choose_slot_count(bytes, in_place, rank_count, 1, 32 * mib, plenty);
        const PoolShape shape{bytes, slots, in_place};
        const std::uint64_t all = shape.memory_bytes() * static_cast<std::uint64_t>(rank_count);
        REQUIRE(all >= 64 * mib);
        REQUIRE(slots >= 2);
      }
    }
  }
}

TEST_CASE("buffer pool: large messages have two buffers, fewer where memory is short") {
  REQUIRE(choose_slot_count(64 * mib, false, 16, 2, 32 * mib, plenty) == 2);
  // 16 ranks, two pools, input and output: 4 GiB for a slot.
  REQUIRE(choose_slot_count(64 * mib, false, 16, 2, 32 * mib, 5000 * mib) == 1);
  REQUIRE(choose_slot_count(64 * mib, false, 16, 2, 32 * mib, 4000 * mib) == 0);
  REQUIRE(choose_slot_count(64 * mib, true, 16, 2, 32 * mib, 4200 * mib) == 2);
}

TEST_CASE("buffer pool: buffers don't overlap, start on lines, and large ones on pages") {
  REQUIRE(PoolShape{4, 1, false}.stride_bytes() == 64);
  REQUIRE(PoolShape{100, 1, false}.stride_bytes() == 128);
  REQUIRE(PoolShape{4096, 1, false}.stride_bytes() == 8192);
  REQUIRE(PoolShape{5000, 1, false}.stride_bytes() == 12288);
}

TEST_CASE("buffer pool: every turn has buffers of its own, with inputs and without results") {
  const Pattern input = Pattern::input(number(), Operation::sum, 0, 2);
  const Pattern result = Pattern::result(number(), Operation::sum, 2);
  const Validator validator(result, 0);
  BufferPool pool({.bytes = 400, .slot_count = 3, .in_place = false}, allocate_from_system, input,
                  validator);
  std::set<const std::byte*> sends;
  std::set<const std::byte*> receives;
  for (int turn = 0; turn < 6; ++turn) {
    sends.insert(pool.send());
    receives.insert(pool.receive().data());
    REQUIRE(!input.find_difference({pool.send(), 400}, pool.first_element()));
    REQUIRE(validator.find_defect(pool.receive(), pool.first_element(), Thoroughness::whole, 0));
    result.fill(pool.receive(), pool.first_element());
    pool.finish_turn();
  }
  REQUIRE(sends.size() == 3);
  REQUIRE(receives.size() == 3);
}

TEST_CASE("buffer pool: in place inputs come back after every turn") {
  const Pattern input = Pattern::input(number(), Operation::sum, 1, 2);
  const Pattern result = Pattern::result(number(), Operation::sum, 2);
  const Validator validator(result, 1);
  BufferPool pool({.bytes = 8192, .slot_count = 2, .in_place = true}, allocate_from_system, input,
                  validator);
  for (int turn = 0; turn < 5; ++turn) {
    REQUIRE(pool.send() == nullptr);
    REQUIRE(!input.find_difference(pool.receive(), pool.first_element()));
    result.fill(pool.receive(), pool.first_element());
    pool.finish_turn();
  }
}
