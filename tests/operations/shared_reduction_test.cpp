// The work that the ranks of a node share, and what becomes of it if somebody takes some and does not come back.
#include <array>
#include <cstring>
#include <memory>
#include <thread>

#include "collectives/kernel_combiner.hpp"
#include "node/work_ledger.hpp"
#include "operations/shared_reduction.hpp"
#include "support/catch.hpp"

using namespace detour;

namespace {

constexpr MemberBlockLayout layout{.small_bytes = 64, .piece_bytes = 512, .part_bytes_min = 64};
constexpr std::size_t bytes = 512;
constexpr std::size_t part_count = 8;
constexpr std::size_t rank_count = 3;
using Elements = std::array<std::uint64_t, bytes / sizeof(std::uint64_t)>;

class Ranks {
 public:
  Ranks() {
    for (std::size_t rank = 0; rank < rank_count; ++rank) {
      memory_.push_back(std::make_unique<Page[]>(2));
      blocks_.emplace_back(memory_.back()[0].bytes, std::size_t{0}, layout);
      blocks_.back().create();
    }
    for (std::size_t rank = 0; rank < rank_count; ++rank) {
      members_.push_back({rank, &blocks_[rank], layout.block_bytes()});
    }
  }

  // With the rank's number, plus one for each place, in call and piece of that number.
  void stage(std::size_t rank, std::uint64_t call) {
    Elements& input = inputs_[rank];
    for (std::size_t at = 0; at < input.size(); ++at) input[at] = rank + at + call * 1000;
    SharedReduction::stage(members_[rank], call, input_of(rank), bytes, writings_[rank]);
  }

  std::byte* input_of(std::size_t rank) {
    return reinterpret_cast<std::byte*>(inputs_[rank].data());
  }

  SharedReduction reduction(std::size_t rank, std::uint64_t call, bool forms_all = false) {
    static const KernelCombiner sum(ReduceOp::sum, ElementType::uint64);
    const SharedReduction::Job job{.call = call,
                                   .piece = call,
                                   .bytes = bytes,
                                   .part_bytes_min = layout.part_bytes_min,
                                   .forms_all = forms_all,
                                   .input = input_of(rank)};
    SharedReduction reduction(rank_count, writings_[rank]);
    reduction.begin(members_, rank, job, sum);
    return reduction;
  }

  static Elements expected(std::uint64_t call) {
    Elements sums;
    for (std::size_t at = 0; at < sums.size(); ++at) sums[at] = 3 + 3 * (at + call * 1000);
    return sums;
  }

  WorkLedger& ledger(std::uint64_t call) const { return blocks_[0].ledger(call); }
  std::byte* sum_of(std::size_t rank, std::uint64_t call) const {
    return blocks_[rank].result(layout.block_bytes(), call);
  }

 private:
  struct alignas(4096) Page {
    std::byte bytes[4096];
  };
  std::vector<std::unique_ptr<Page[]>> memory_;
  std::vector<MemberBlock> blocks_;
  std::array<Elements, rank_count> inputs_;
  std::vector<SharedReduction::Member> members_;
  std::vector<SlotWriting> writings_ =
      std::vector<SlotWriting>(rank_count, SlotWriting(bytes));  // by rank
};

Elements finish(SharedReduction& reduction) {
  Elements output{};
  while (reduction.step(reinterpret_cast<std::byte*>(output.data()))) {
  }
  return output;
}

}  // namespace

TEST_CASE("ledger: every part is taken once, in each call anew") {
  WorkLedger ledger;
  for (std::uint64_t call = 0; call < 300; ++call) {
    std::array<std::atomic<int>, WorkLedger::part_count_max> taken{};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 3; ++thread) {
      threads.emplace_back([&] {
        while (const auto part = ledger.take(call, taken.size())) ++taken[*part];
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& count : taken) REQUIRE(count == 1);
  }
}

TEST_CASE("ledger: who comes late takes nothing, and takes nothing from those who are further") {
  WorkLedger ledger;
  CHECK(ledger.take(2, 4) == std::size_t{0});
  CHECK_FALSE(ledger.take(0, 4));
  CHECK(ledger.take(2, 4) == std::size_t{1});
}

TEST_CASE("ledger: what is said of one call is nothing about another") {
  WorkLedger ledger;
  CHECK_FALSE(ledger.done_by(0, 3));
  ledger.set_done(0, 3, 5);
  CHECK(ledger.done_by(0, 3) == std::size_t{5});
  CHECK_FALSE(ledger.done_by(0, 2));
  CHECK_FALSE(ledger.done_by(2, 3));
  ledger.set_done(2, 3, 1);
  CHECK(ledger.done_by(2, 3) == std::size_t{1});
  ledger.set_done(0, 3, 5);  // by somebody who was given up, and is late
  CHECK_FALSE(ledger.done_by(2, 3));
}

TEST_CASE("sharing: all get all, whoever has formed it") {
  Ranks ranks;
  std::array<int, rank_count> wrong_count{};
  std::array<std::atomic<std::uint64_t>, rank_count> staged{};
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < rank_count; ++rank) {
    threads.emplace_back([&, rank] {
      for (std::uint64_t call = 0; call < 500; ++call) {
        ranks.stage(rank, call);
        staged[rank].store(call + 1);
        for (const auto& other : staged) {
          while (other.load() <= call) std::this_thread::yield();
        }
        SharedReduction reduction = ranks.reduction(rank, call);
        if (finish(reduction) != Ranks::expected(call)) ++wrong_count[rank];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong_count == std::array<int, rank_count>{});
}

TEST_CASE("sharing: who takes a part and dies is not waited for") {
  Ranks ranks;
  for (std::size_t rank = 0; rank < rank_count; ++rank) ranks.stage(rank, 4);
  SharedReduction dying = ranks.reduction(1, 4);
  Elements unused{};
  REQUIRE(dying.step(reinterpret_cast<std::byte*>(unused.data())));
  for (const std::size_t rank : {std::size_t{0}, std::size_t{2}}) {
    SharedReduction other = ranks.reduction(rank, 4);
    CHECK(finish(other) == Ranks::expected(4));
  }
  CHECK_FALSE(ranks.ledger(4).done_by(4, 0));
}

TEST_CASE("sharing: what others have formed is read, not formed again") {
  Ranks ranks;
  for (std::size_t rank = 0; rank < rank_count; ++rank) ranks.stage(rank, 6);
  SharedReduction first = ranks.reduction(0, 6);
  CHECK(finish(first) == Ranks::expected(6));
  for (std::size_t part = 0; part < part_count; ++part) {
    CHECK(ranks.ledger(6).done_by(6, part) == std::size_t{0});
  }
  auto* const sums = reinterpret_cast<std::uint64_t*>(ranks.sum_of(0, 6));
  sums[17] += 1;
  SharedReduction second = ranks.reduction(2, 6);
  CHECK(finish(second)[17] == Ranks::expected(6)[17] + 1);
}

TEST_CASE("sharing: who forms all itself takes nothing from others, nor from what they have done") {
  Ranks ranks;
  for (std::size_t rank = 0; rank < rank_count; ++rank) ranks.stage(rank, 8);
  SharedReduction other = ranks.reduction(0, 8);
  CHECK(finish(other) == Ranks::expected(8));
  *reinterpret_cast<std::uint64_t*>(ranks.sum_of(0, 8)) += 1;
  SharedReduction alone = ranks.reduction(2, 8, true);
  CHECK(finish(alone) == Ranks::expected(8));
  SharedReduction before_others = ranks.reduction(1, 10, true);
  for (std::size_t rank = 0; rank < rank_count; ++rank) ranks.stage(rank, 10);
  CHECK(finish(before_others) == Ranks::expected(10));
  for (std::size_t part = 0; part < part_count; ++part) {
    CHECK_FALSE(ranks.ledger(10).done_by(10, part));
  }
  CHECK(ranks.ledger(10).take(10, part_count) == std::size_t{0});
}

TEST_CASE("sharing: the output may be the input, on any rank, in parts and at once") {
  for (std::size_t rank = 0; rank < rank_count; ++rank) {
    for (const bool forms_all : {false, true}) {
      Ranks ranks;
      for (std::size_t each = 0; each < rank_count; ++each) ranks.stage(each, 2);
      // Somebody has taken a part and not come back, so that it is formed in the output.
      REQUIRE(ranks.ledger(2).take(2, part_count) == std::size_t{0});
      SharedReduction reduction = ranks.reduction(rank, 2, forms_all);
      while (reduction.step(ranks.input_of(rank))) {
      }
      Elements output;
      std::memcpy(output.data(), ranks.input_of(rank), bytes);
      CHECK(output == Ranks::expected(2));
    }
  }
}
