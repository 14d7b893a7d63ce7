// The short way of small and of shared sums, with calls that others make at length, and calls that go on at length themselves.
#include "operations/short_sums.hpp"

#include <algorithm>
#include <thread>

#include "direct_members.hpp"
#include "support/catch.hpp"

using namespace detour;

namespace {

const KernelCombiner& sum_of_ints() {
  static const KernelCombiner combiner(ReduceOp::sum, ElementType::int32);
  return combiner;
}

ShortSum short_sum_of(const Call& call) {
  return {.header = call.header,
          .combiner = call.combiner,
          .element_count = call.header.bytes / call.combiner->element_bytes(),
          .input = call.input,
          .output = call.output};
}

// Of so many twos, on one rank.
struct SumOfTwos {
  explicit SumOfTwos(std::size_t count)
      : input(count, 2),
        output(count, -1),
        call(allreduce_call(sum_of_ints(), input.data(), output.data(), 4 * count)) {}
  ShortSum shortly() const { return short_sum_of(call); }
  bool is_of(std::int32_t member_count) const {
    return output == std::vector<std::int32_t>(output.size(), 2 * member_count);
  }

  std::vector<std::int32_t> input;
  std::vector<std::int32_t> output;
  Call call;
};

// In small slots, and staged.
constexpr std::size_t small_count = 2;
constexpr std::size_t staged_count = 30;
static_assert(4 * staged_count > small_layout.small_bytes &&
              4 * staged_count <= small_layout.short_bytes_max());

// As a communicator does it: some looks, and then at length.
int run_shortly(DirectRank& direct, const Call& call, int look_count) {
  ShortSums& sums = direct.short_sums();
  const ShortSum sum = short_sum_of(call);
  auto progress = sums.begin(sum);
  if (progress == ShortSums::Progress::not_begun) return direct.run(call);
  for (int looks = 0; looks < look_count && progress == ShortSums::Progress::under_way; ++looks) {
    if (sums.has_news()) {
      progress = sums.go_on(sum);
      break;
    }
    std::this_thread::yield();
  }
  if (progress == ShortSums::Progress::done) return 0;
  direct.take_over(call);
  return direct.drive();
}

// Ranks that have already called something, so that all are known to each other, one rank a thread.
struct Trio {
  const std::size_t count = GENERATE(small_count, staged_count);
  Members members{3, small_layout};
  std::array<std::unique_ptr<DirectRank>, 3> ranks{members.rank(0), members.rank(1),
                                                   members.rank(2)};
  std::array<SumOfTwos, 3> sums{SumOfTwos(count), SumOfTwos(count), SumOfTwos(count)};
};

}  // namespace

TEST_CASE("short ways and long ones of the same calls give the same sums, in place and not") {
  const auto rank_count = GENERATE(std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7});
  Members members(rank_count, small_layout);
  const std::vector<std::size_t> counts{1, 1, 2, 5, 13, 14, 16, 16, 17, 17, 30, 37};
  std::vector<int> wrong_count(rank_count);
  members.on_all([&](DirectRank& direct, std::size_t rank) {
    for (std::size_t call = 0; call < 500; ++call) {
      const std::size_t count = counts[call % counts.size()];
      std::vector<std::int32_t> input(count), output(count);
      for (std::size_t at = 0; at < count; ++at) input[at] = value_of(call, rank, at);
      auto& got = (call + rank) % 3 == 0 ? input : output;
      const Call made = allreduce_call(sum_of_ints(), input.data(), got.data(), count * 4);
      const bool is_short = (call / 3 + rank) % 4 != 0;
      const int looks = static_cast<int>(call % 5) * 100;
      const int error = is_short ? run_shortly(direct, made, looks) : direct.run(made);
      if (error != 0) ++wrong_count[rank];
      for (std::size_t at = 0; at < count; ++at) {
        if (got[at] != sum_of_values(call, rank_count, at)) ++wrong_count[rank];
      }
    }
  });
  CHECK(wrong_count == std::vector<int>(rank_count));
}

TEST_CASE("only calls of an admitted size go the short way, among the members of then") {
  Trio trio;
  ShortSums& sums = trio.ranks[0]->short_sums();
  CHECK_FALSE(sums.take(8));
  sums.admit(8, {});
  CHECK(sums.take(8));
  CHECK_FALSE(sums.take(12));
  sums.dismiss();
  CHECK_FALSE(sums.take(8));
  sums.admit(8, {});
  seal(trio.members.blocks()[2]);
  for (const std::size_t rank : {0u, 1u}) {
    trio.ranks[rank]->begin(trio.sums[rank].call);
    trio.ranks[rank]->advance();
  }
  REQUIRE(trio.ranks[0]->advance() == Operation::Progress::ended);
  CHECK_FALSE(sums.take(8));
}

TEST_CASE("a rank that was given up begins no short sum, and leaves no trace of it") {
  Members members(2, small_layout);
  const auto fenced = members.rank(0);
  const auto other = members.rank(1);
  const std::size_t count = GENERATE(small_count, staged_count);
  SumOfTwos sum(count), others_sum(count);
  seal(members.blocks()[0]);
  CHECK(fenced->short_sums().begin(sum.shortly()) == ShortSums::Progress::not_begun);
  CHECK(fenced->run(sum.call) == PlainErrors::out);
  CHECK(other->run(others_sum.call) == 0);
  CHECK(others_sum.is_of(1));
}

// Takes its rank for dead just when it has read what it needs.
struct SealingCombiner final : Combiner {
  explicit SealingCombiner(const MemberBlock& block) : own(block) {}
  std::size_t element_bytes() const override { return 4; }
  void combine(std::byte*, std::span<const std::byte* const>, std::size_t) const override {
    seal(own);
  }
  const MemberBlock& own;
};

TEST_CASE("whoever is given up on its short way fails") {
  Trio trio;
  for (const std::size_t rank : {1u, 2u}) {
    trio.ranks[rank]->begin(trio.sums[rank].call);
    trio.ranks[rank]->advance();
  }
  const SealingCombiner sealing(trio.members.blocks()[0]);
  trio.sums[0].call.combiner = &sealing;
  CHECK(trio.ranks[0]->short_sums().begin(trio.sums[0].shortly()) ==
        ShortSums::Progress::under_way);
  trio.ranks[0]->take_over(trio.sums[0].call);
  CHECK(trio.ranks[0]->drive() == PlainErrors::out);
}

TEST_CASE("a short sum that another call disagrees with goes on at length, to the error of all") {
  Trio trio;
  std::vector<std::int32_t> three{1, 2, 3};
  const Call other = allreduce_call(sum_of_ints(), three.data(), three.data(), 12);
  const std::size_t odd_one = GENERATE(range(0u, 3u));
  std::array<ShortSums::Progress, 3> progress;
  for (std::size_t rank = 0; rank < 3; ++rank) {
    if (rank == odd_one) {
      trio.ranks[rank]->begin(other);
      trio.ranks[rank]->advance();
    } else {
      progress[rank] = trio.ranks[rank]->short_sums().begin(trio.sums[rank].shortly());
      CHECK(progress[rank] == ShortSums::Progress::under_way);
    }
  }
  for (std::size_t rank = 0; rank < 3; ++rank) {
    if (rank != odd_one) {
      if (trio.ranks[rank]->short_sums().has_news()) {
        CHECK(trio.ranks[rank]->short_sums().go_on(trio.sums[rank].shortly()) ==
              ShortSums::Progress::under_way);
      }
      trio.ranks[rank]->take_over(trio.sums[rank].call);
    }
    CHECK(trio.ranks[rank]->drive() == PlainErrors::mismatch);
    CHECK(trio.sums[rank].output == std::vector<std::int32_t>(trio.count, -1));
  }
}

TEST_CASE("a short sum whose last member dies before it comes goes on at length among the others") {
  Trio trio;
  for (const std::size_t rank : {0u, 1u}) {
    CHECK(trio.ranks[rank]->short_sums().begin(trio.sums[rank].shortly()) ==
          ShortSums::Progress::under_way);
  }
  seal(trio.members.blocks()[2]);
  for (const std::size_t rank : {0u, 1u}) {
    CHECK_FALSE(trio.ranks[rank]->short_sums().has_news());
    trio.ranks[rank]->take_over(trio.sums[rank].call);
    CHECK(trio.ranks[rank]->drive() == 0);
    CHECK(trio.sums[rank].is_of(2));
    CHECK(trio.ranks[rank]->contributors().members() == std::vector<std::size_t>{0, 1});
  }
}

TEST_CASE(
    "who was given up gets its memory back when others have left the call on their short ways") {
  Members members(3, small_layout);
  const auto node = GENERATE(Gathering::Node::roomy, Gathering::Node::crowded);
  const std::array<std::unique_ptr<DirectRank>, 3> ranks{
      members.rank(0, node), members.rank(1, node), members.rank(2, node)};
  // Where the others could read its input, if it was longer.
  auto* const mapped = reinterpret_cast<std::int32_t*>(members.program_memory(0).data());
  const Call call = allreduce_call(sum_of_ints(), mapped, mapped, 4 * staged_count);
  std::fill_n(mapped, staged_count, 2);
  ranks[0]->begin(call);
  ranks[0]->advance();
  seal(members.blocks()[0]);
  std::array<SumOfTwos, 2> sums{SumOfTwos(staged_count), SumOfTwos(staged_count)};
  CHECK(ranks[1]->short_sums().begin(sums[0].shortly()) == ShortSums::Progress::under_way);
  CHECK(ranks[2]->short_sums().begin(sums[1].shortly()) == ShortSums::Progress::done);
  CHECK(ranks[0]->advance() == Operation::Progress::stuck);
  REQUIRE(ranks[1]->short_sums().has_news());
  CHECK(ranks[1]->short_sums().go_on(sums[0].shortly()) == ShortSums::Progress::done);
  CHECK(ranks[0]->advance() == Operation::Progress::ended);
  CHECK(ranks[0]->error() == PlainErrors::out);
  CHECK(sums[0].is_of(3));
  CHECK(sums[1].is_of(3));
}
