// The fused allreduce of one node. Ranks are threads here: the thread sanitizer watches every slot
// that is used again.
#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <random>
#include <thread>

#include "direct_members.hpp"
#include "support/catch.hpp"

using namespace detour;

namespace {

int sum(DirectRank& direct, const std::vector<std::int32_t>& input,
        std::vector<std::int32_t>& output, const DirectWay& way = {}) {
  static const KernelCombiner combiner(ReduceOp::sum, ElementType::int32);
  return direct.run(
      allreduce_call(combiner, input.data(), output.data(), input.size() * sizeof(std::int32_t)),
      way);
}

// Whole and cut, back to back: they use the same slots.
DirectWay way_of(std::size_t call) {
  if (call % 5 != 4) return {};
  constexpr std::array stores{StoreChoice::automatic, StoreChoice::cached, StoreChoice::apart,
                              StoreChoice::streamed};
  return {.piece_bytes = std::array<std::uint64_t, 3>{32, 100, 4096}[call / 5 % 3],
          .stores = stores[call / 15 % stores.size()]};
}

int meet(DirectRank& direct) {
  return direct.run(Call{});
}

}  // namespace

TEST_CASE("sums of all sizes, back to back, in place and not") {
  const auto rank_count = GENERATE(std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7});
  Members members(rank_count, small_layout);
  // Around every boundary: nothing, one, small slots, single pieces, pieces of uneven slices, many.
  const std::vector<std::size_t> counts{0,  1,  2,   3,   15,  16,  17,  31,  63, 64,
                                        65, 66, 128, 129, 200, 640, 641, 999, 16, 1000};
  std::vector<int> wrong_count(rank_count);
  members.on_all([&](DirectRank& direct, std::size_t rank) {
    for (std::size_t call = 0; call < 200; ++call) {
      const std::size_t count = counts[call * 7 % counts.size()];
      std::vector<std::int32_t> input(count);
      for (std::size_t at = 0; at < count; ++at) input[at] = value_of(call, rank, at);
      std::vector<std::int32_t> output(count);
      const bool in_place = call % 3 == 0;
      const int result = in_place ? sum(direct, input, input, way_of(call))
                                  : sum(direct, input, output, way_of(call));
      if (result != 0) ++wrong_count[rank];
      const auto& got = in_place ? input : output;
      for (std::size_t at = 0; at < count; ++at) {
        if (got[at] != sum_of_values(call, rank_count, at)) ++wrong_count[rank];
      }
      if (call % 17 == 0 && meet(direct) != 0) ++wrong_count[rank];
    }
  });
  CHECK(wrong_count == std::vector<int>(rank_count));
}

TEST_CASE(
    "sums of data that all members map are made where it is, and it is the program's afterwards") {
  const auto rank_count = GENERATE(std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7});
  Members members(rank_count, small_layout);
  static const KernelCombiner combiner(ReduceOp::sum, ElementType::int32);
  const std::vector<std::size_t> counts{1, 16, 17, 30, 50, 64, 65, 200, 641};
  std::vector<int> wrong_count(rank_count);
  members.on_all([&](DirectRank& direct, std::size_t rank) {
    auto* const mapped = reinterpret_cast<std::int32_t*>(members.program_memory(rank).data());
    std::vector<std::int32_t> elsewhere(2000);
    for (std::size_t call = 0; call < 300; ++call) {
      const std::size_t count = counts[call * 7 % counts.size()];
      // Now and then one rank, or all of them, have an input or an output that the others can't read.
      const bool is_odd_one = rank == call % rank_count || call % 5 == 0;
      std::int32_t* const input = call % 4 == 1 && is_odd_one ? elsewhere.data() : mapped;
      std::int32_t* output = call % 4 == 2 && is_odd_one ? elsewhere.data() + 1000 : mapped + 1000;
      if (call % 3 == 0) output = input;
      for (std::size_t at = 0; at < count; ++at) input[at] = value_of(call, rank, at);
      const std::size_t bytes = count * sizeof(std::int32_t);
      const Call made = allreduce_call(combiner, input, output, bytes);
      if (direct.run(made, way_of(call)) != 0) ++wrong_count[rank];
      for (std::size_t at = 0; at < count; ++at) {
        if (output[at] != sum_of_values(call, rank_count, at)) ++wrong_count[rank];
        if (output != input && input[at] != value_of(call, rank, at)) ++wrong_count[rank];
      }
      // Whoever still read any of it would read this.
      std::fill_n(input, count, -1);
      std::fill_n(output, count, -1);
    }
  });
  CHECK(wrong_count == std::vector<int>(rank_count));
}

TEST_CASE("a small result is told by whoever has it first, and not formed again") {
  // Rank 0 of such ranks takes no part in telling.
  constexpr std::size_t teller = 1;
  constexpr std::size_t hearer = 2;
  Members members(3, small_layout);
  const KernelCombiner combiner(ReduceOp::sum, ElementType::int32);
  std::vector<std::unique_ptr<DirectRank>> ranks;
  std::vector<std::vector<std::int32_t>> outputs(3, std::vector<std::int32_t>(4));
  const std::vector<std::int32_t> input{1, 2, 3, 4};
  std::vector<Call> calls;
  for (std::size_t rank = 0; rank < 3; ++rank) {
    ranks.push_back(members.rank(rank));
    calls.push_back(allreduce_call(combiner, input.data(), outputs[rank].data(), 16));
  }
  for (std::size_t rank = 0; rank < 3; ++rank) ranks[rank]->begin(calls[rank]);
  REQUIRE(ranks[0]->advance() == Operation::Progress::stuck);
  REQUIRE(ranks[hearer]->advance() == Operation::Progress::stuck);
  // Of those who count themselves it is the last one, but they don't know that there are no more.
  REQUIRE(ranks[teller]->advance() == Operation::Progress::stuck);
  REQUIRE(ranks[teller]->advance() == Operation::Progress::ended);
  CHECK(outputs[teller] == std::vector<std::int32_t>{3, 6, 9, 12});
  auto* const told = reinterpret_cast<std::int32_t*>(members.blocks()[teller].sum(0));
  told[2] = 90;
  REQUIRE(ranks[hearer]->advance() == Operation::Progress::ended);
  CHECK(outputs[hearer] == std::vector<std::int32_t>{3, 6, 90, 12});
}

TEST_CASE("who leaves a call that it has entered keeps its data until the others have read it") {
  Members members(2, small_layout);
  const KernelCombiner combiner(ReduceOp::sum, ElementType::int32);
  const std::vector<std::int32_t> input(small_layout.piece_bytes / sizeof(std::int32_t), 1);
  std::vector<std::vector<std::int32_t>> outputs(2, std::vector<std::int32_t>(input.size()));
  const auto call_of = [&](std::size_t rank) {
    return allreduce_call(combiner, input.data(), outputs[rank].data(), small_layout.piece_bytes);
  };
  const Call own_call = call_of(0);
  const Call other_call = call_of(1);
  const auto own = members.rank(0);
  const auto other = members.rank(1);
  own->begin(own_call);
  REQUIRE(own->advance() == Operation::Progress::stuck);
  REQUIRE_FALSE(own->abandon());
  const auto is_read_by_other = [&] {
    const auto readers = own->readers();
    return std::find(readers.begin(), readers.end(), std::size_t{1}) != readers.end();
  };
  CHECK(is_read_by_other());
  other->begin(other_call);
  REQUIRE(other->advance() == Operation::Progress::ended);
  CHECK(outputs[1] == std::vector<std::int32_t>(input.size(), 2));
  CHECK_FALSE(is_read_by_other());
}

TEST_CASE("whoever dies in the middle of a mapped call is in its result, and in no later one") {
  constexpr std::size_t count = 300;
  constexpr DirectWay in_many_pieces{.piece_bytes = 32};
  // How many of all steps the one who dies takes after all have entered, from none to all.
  const auto step_count = GENERATE(range(0, 12));
  Members members(3, small_layout);
  static const KernelCombiner combiner(ReduceOp::sum, ElementType::int32);
  std::vector<std::unique_ptr<DirectRank>> ranks;
  std::vector<std::int32_t*> data;
  std::array<Call, 3> calls;
  for (std::size_t rank = 0; rank < 3; ++rank) {
    ranks.push_back(members.rank(rank));
    data.push_back(reinterpret_cast<std::int32_t*>(members.program_memory(rank).data()));
    for (std::size_t at = 0; at < count; ++at) data[rank][at] = value_of(0, rank, at);
    calls[rank] = allreduce_call(combiner, data[rank], data[rank], count * sizeof(std::int32_t));
    ranks[rank]->begin(calls[rank], in_many_pieces);
    if (rank < 2) REQUIRE(ranks[rank]->advance() == Operation::Progress::stuck);
  }
  for (int step = 0; step < step_count; ++step) {
    ranks[2]->advance();
    ranks[static_cast<std::size_t>(step) % 2]->advance();
  }
  seal(members.blocks()[2]);
  std::array<bool, 2> has_ended{};
  for (int turn = 0; turn < 100; ++turn) {
    for (const std::size_t rank : {0u, 1u}) {
      has_ended[rank] |= ranks[rank]->advance() == Operation::Progress::ended;
    }
  }
  for (const std::size_t rank : {0u, 1u}) {
    REQUIRE(has_ended[rank]);
    CHECK(ranks[rank]->error() == 0);
    CHECK(ranks[rank]->contributors() == MemberSet::all(3));
    for (std::size_t at = 0; at < count; ++at) {
      REQUIRE(data[rank][at] == sum_of_values(0, 3, at));
    }
    calls[rank] = {};
    ranks[rank]->begin(calls[rank]);
  }
  ranks[0]->advance();
  ranks[1]->advance();
  for (const std::size_t rank : {0u, 1u}) {
    CHECK(ranks[rank]->advance() == Operation::Progress::ended);
    CHECK(ranks[rank]->contributors().members() == std::vector<std::size_t>{0, 1});
  }
}

TEST_CASE("calls that don't match fail on all ranks, and the next one works") {
  Members members(3, small_layout);
  std::vector<int> wrong_count(3);
  members.on_all([&](DirectRank& direct, std::size_t rank) {
    for (int round = 0; round < 50; ++round) {
      // One rank's size differs: small against small, small against large, large against large.
      const std::size_t usual =
          std::vector<std::size_t>{4, 4, 300}[static_cast<std::size_t>(round % 3)];
      const std::size_t odd =
          std::vector<std::size_t>{5, 300, 500}[static_cast<std::size_t>(round % 3)];
      std::vector<std::int32_t> data(rank == 1 ? odd : usual, 7);
      const auto before = data;
      if (sum(direct, data, data) != PlainErrors::mismatch) ++wrong_count[rank];
      if (data != before) ++wrong_count[rank];
      if (rank == 2 ? meet(direct) != PlainErrors::mismatch
                    : sum(direct, data, data) != PlainErrors::mismatch) {
        ++wrong_count[rank];
      }
      std::vector<std::int32_t> good(400, 1);
      if (sum(direct, good, good) != 0) ++wrong_count[rank];
      if (good != std::vector<std::int32_t>(400, 3)) ++wrong_count[rank];
    }
  });
  CHECK(wrong_count == std::vector<int>(3));
}

TEST_CASE("a rank that is told to stop does not wait for ever") {
  Members members(2, small_layout);
  int look_count = 0;
  const WaitHooks hooks{.progress = {}, .should_stop = [&] { return ++look_count > 5; }};
  DirectRank alone(0, members.blocks(), members.decision_parts(), small_layout, 0, {}, hooks,
                   Gathering::Node::roomy);
  CHECK(meet(alone) == -1);
}
