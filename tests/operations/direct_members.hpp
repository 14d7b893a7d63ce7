// All ranks of a node in tests of direct operations, with what they have in memory that all can get at.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "direct_rank.hpp"

namespace detour {

// So that a few hundred elements are cut into pieces, and the larger results streamed.
inline constexpr MemberBlockLayout small_layout{.small_bytes = 64,
                                                .piece_bytes = 256,
                                                .piece_bytes_min = 32,
                                                .part_bytes_min = 24,
                                                .read_in_place_bytes_min = 150,
                                                .streamed_bytes_min = 1000,
                                                .streamed_in_place_bytes_min = 2000};

// The blocks of all members in plain memory, page aligned as they would be in a heap.
class Members {
 public:
  Members(std::size_t count, const MemberBlockLayout& layout) : layout_(layout) {
    for (std::size_t member = 0; member < count; ++member) {
      memory_.push_back(std::make_unique<Page[]>(bytes(layout, count) / sizeof(Page) + 1));
      blocks_.emplace_back(memory_.back()[0].bytes, std::size_t{0}, layout);
      blocks_.back().create();
      parts_.push_back(memory_.back()[0].bytes + decisions_at(layout));
      ShmDecisionStore::create_at(parts_.back(), count);
    }
  }

  // Runs `body` on every rank at the same time.
  template <class Body>
  void on_all(Body body) {
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < blocks_.size(); ++rank) {
      threads.emplace_back([this, rank, &body] { body(*this->rank(rank), rank); });
    }
    for (std::thread& thread : threads) thread.join();
  }

  std::unique_ptr<DirectRank> rank(std::size_t number) const {
    return rank(number, DirectRank::usual_node(number));
  }
  std::unique_ptr<DirectRank> rank(std::size_t number, Gathering::Node node) const {
    return std::make_unique<DirectRank>(number, blocks_, parts_, layout_, results_bytes,
                                        heap(number), WaitHooks{}, node);
  }

  // Where all can get at it.
  static constexpr std::size_t program_bytes = 8192;
  std::span<std::byte> program_memory(std::size_t rank) const {
    return heap(rank).last(program_bytes);
  }

  const std::vector<MemberBlock>& blocks() const { return blocks_; }
  const std::vector<std::byte*>& decision_parts() const { return parts_; }

 private:
  struct alignas(4096) Page {
    std::byte bytes[4096];
  };
  static constexpr std::size_t results_bytes = 4096;
  static std::size_t decisions_at(const MemberBlockLayout& layout) {
    return (layout.block_bytes() + layout.pipeline_bytes() + results_bytes + 63) / 64 * 64;
  }
  static std::size_t bytes(const MemberBlockLayout& layout, std::size_t count) {
    const std::size_t before_program = decisions_at(layout) + ShmDecisionStore::part_bytes(count);
    return (before_program + 63) / 64 * 64 + program_bytes;
  }
  std::span<std::byte> heap(std::size_t rank) const {
    return {memory_[rank][0].bytes, bytes(layout_, memory_.size())};
  }
  MemberBlockLayout layout_;
  std::vector<std::unique_ptr<Page[]>> memory_;
  std::vector<MemberBlock> blocks_;
  std::vector<std::byte*> parts_;
};

// Different in every call, rank and place, and with a sum that is easy to know.
inline std::int32_t value_of(std::size_t call, std::size_t rank, std::size_t at) {
  return static_cast<std::int32_t>(call * 1'000'003 + rank * 101 + at * 7 % 1009);
}

// Of all ranks. Wraps round, as the library's sums of whole numbers do.
inline std::int32_t sum_of_values(std::size_t call, std::size_t rank_count, std::size_t at) {
  std::uint32_t sum = 0;
  for (std::size_t rank = 0; rank < rank_count; ++rank) {
    sum += static_cast<std::uint32_t>(value_of(call, rank, at));
  }
  return static_cast<std::int32_t>(sum);
}

}  // namespace detour
