#include "shm/heap_arena.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/make_heap.hpp"

using namespace detour;
using namespace detour::test;

namespace {

// Blocks by offset, each filled with a mark of its own: overlaps show as wrong marks.
class Model {
 public:
  explicit Model(HeapArena& arena) : arena_(arena) {}

  void add(const HeapBlock& block) {
    const auto next = blocks_.lower_bound(block.offset);
    REQUIRE(block.offset + block.bytes <= arena_.capacity_bytes());
    if (next != blocks_.end()) REQUIRE(block.offset + block.bytes <= next->first);
    if (next != blocks_.begin()) {
      REQUIRE(std::prev(next)->first + std::prev(next)->second.bytes <= block.offset);
    }
    const int mark = ++mark_;
    std::memset(arena_.memory_of(block).data(), mark, block.bytes);
    blocks_[block.offset] = {block.bytes, static_cast<std::byte>(mark)};
  }

  void remove(std::size_t index) {
    const auto entry = std::next(blocks_.begin(), static_cast<std::ptrdiff_t>(index));
    const auto memory = arena_.memory_of({entry->first, entry->second.bytes});
    REQUIRE(std::all_of(memory.begin(), memory.end(),
                        [&](std::byte byte) { return byte == entry->second.mark; }));
    REQUIRE(arena_.free(entry->first));
    blocks_.erase(entry);
  }

  // What the books have to say, from the blocks alone.
  std::size_t used_bytes() const {
    std::size_t sum = 0;
    for (const auto& [offset, block] : blocks_) sum += block.bytes;
    return sum;
  }
  std::vector<std::size_t> gaps() const {
    std::vector<std::size_t> found;
    std::size_t end = 0;
    for (const auto& [offset, block] : blocks_) {
      if (offset > end) found.push_back(offset - end);
      end = offset + block.bytes;
    }
    if (end < arena_.capacity_bytes()) found.push_back(arena_.capacity_bytes() - end);
    return found;
  }
  std::size_t size() const { return blocks_.size(); }

 private:
  struct Block {
    std::size_t bytes;
    std::byte mark;
  };
  HeapArena& arena_;
  std::map<std::size_t, Block> blocks_;
  int mark_ = 0;
};

}  // namespace

TEST_CASE("an arena agrees with a model over random allocations") {
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    std::mt19937 random(seed);
    const auto heap = make_heap(mebibyte);
    HeapArena arena(heap, {.release_from_bytes = 16384});
    Model model(arena);
    std::size_t refusal_count = 0;
    for (int step = 0; step < 3000; ++step) {
      if (random() % 5 < 3) {
        const std::size_t bytes = random() % 4 == 0 ? random() % 65536 : random() % 3000;
        const std::size_t alignment = std::size_t{1} << random() % 13;
        const auto block =
            arena.allocate(bytes, alignment, random() % 3 == 0 ? HeapEnd::high : HeapEnd::low);
        const auto gaps = model.gaps();
        const std::size_t largest = gaps.empty() ? 0 : *std::max_element(gaps.begin(), gaps.end());
        if (block) {
          REQUIRE(block->bytes >= bytes);
          REQUIRE(block->offset % std::max<std::size_t>(alignment, 64) == 0);
          model.add(*block);
        } else {
          ++refusal_count;
          REQUIRE(largest < bytes + alignment + 64);
        }
      } else if (model.size() > 0) {
        model.remove(random() % model.size());
      }
      const auto gaps = model.gaps();
      REQUIRE(arena.used_bytes() == model.used_bytes());
      REQUIRE(arena.gap_count() == gaps.size());
      REQUIRE(arena.largest_gap_bytes() ==
              (gaps.empty() ? 0 : *std::max_element(gaps.begin(), gaps.end())));
    }
    REQUIRE(refusal_count > 0);
    while (model.size() > 0) model.remove(random() % model.size());
    REQUIRE(arena.used_bytes() == 0);
    REQUIRE(arena.gap_count() == 1);
    REQUIRE(arena.largest_gap_bytes() == arena.capacity_bytes());
  }
}

TEST_CASE("blocks are aligned in memory") {
  const auto heap = make_heap(16 * mebibyte);
  HeapArena arena(heap);
  REQUIRE(arena.allocate(1));
  for (const HeapEnd end : {HeapEnd::low, HeapEnd::high}) {
    for (const std::size_t alignment : {1U, 64U, 128U, 4096U, 65536U, 2U << 20}) {
      const auto block = arena.allocate(100, alignment, end);
      REQUIRE(block);
      const auto address = reinterpret_cast<std::uintptr_t>(arena.memory_of(*block).data());
      REQUIRE(address % std::max<std::size_t>(alignment, 64) == 0);
    }
  }
  REQUIRE_FALSE(arena.allocate(100, 3));
  REQUIRE_FALSE(arena.allocate(100, 0));
  REQUIRE_FALSE(arena.allocate(100, 2 * huge_page_bytes));
}

TEST_CASE("blocks of either end stay at it") {
  const auto heap = make_heap(mebibyte);
  HeapArena arena(heap);
  const auto low = arena.allocate(1000, 64, HeapEnd::low);
  const auto high = arena.allocate(1000, 64, HeapEnd::high);
  REQUIRE(low->offset == 0);
  REQUIRE(high->offset + high->bytes == mebibyte);
  const auto page = arena.allocate(1000, page_bytes(), HeapEnd::high);
  REQUIRE(page->offset == mebibyte - page_bytes());
  REQUIRE(arena.allocate(64, 64, HeapEnd::high)->offset == high->offset - 64);
  REQUIRE(arena.allocate(64)->offset == low->bytes);
  REQUIRE(arena.free(page->offset));
  REQUIRE(arena.allocate(1000, page_bytes(), HeapEnd::high)->offset == page->offset);
}

TEST_CASE("a full arena gives nothing, and room again once something is freed") {
  const auto heap = make_heap(64 * 10);
  HeapArena arena(heap);
  std::vector<HeapBlock> blocks;
  while (const auto block = arena.allocate(64)) blocks.push_back(*block);
  REQUIRE(blocks.size() == 10);
  REQUIRE(arena.largest_gap_bytes() == 0);
  REQUIRE(arena.free(blocks[4].offset));
  REQUIRE_FALSE(arena.allocate(65));
  REQUIRE(arena.allocate(64)->offset == blocks[4].offset);
}

TEST_CASE("an arena refuses impossible sizes and counts its blocks") {
  const auto heap = make_heap(mebibyte);
  HeapArena arena(heap, {.block_count_max = 3});
  REQUIRE_FALSE(arena.allocate(mebibyte + 1));
  REQUIRE_FALSE(arena.allocate(SIZE_MAX));
  for (int count = 0; count < 3; ++count) REQUIRE(arena.allocate(0));
  REQUIRE_FALSE(arena.allocate(0));
}

TEST_CASE("freeing what is not a block is refused") {
  const auto heap = make_heap(mebibyte);
  HeapArena arena(heap);
  const auto block = arena.allocate(1000);
  REQUIRE_FALSE(arena.free(block->offset + 64));
  REQUIRE_FALSE(arena.free(mebibyte));
  REQUIRE(arena.free(block->offset));
  REQUIRE_FALSE(arena.free(block->offset));
  REQUIRE(arena.used_bytes() == 0);
}

TEST_CASE("large freed blocks go back to the system, small ones stay") {
  const auto heap = make_heap(64 * mebibyte, Backing::memfd);
  HeapArena arena(heap);
  const auto small = arena.allocate(512 * 1024);
  const auto large = arena.allocate(32 * mebibyte);
  std::memset(arena.memory_of(*small).data(), 1, small->bytes);
  std::memset(arena.memory_of(*large).data(), 2, large->bytes);
  const auto resident_before_bytes = resident_bytes(heap);
  REQUIRE(resident_before_bytes >= 32 * mebibyte + 512 * 1024);
  REQUIRE(arena.free(large->offset));
  REQUIRE(resident_bytes(heap) <= resident_before_bytes - 32 * mebibyte);
  REQUIRE(resident_bytes(heap) >= 512 * 1024);
  REQUIRE(arena.memory_of(*small).back() == std::byte{1});
  REQUIRE(arena.free(small->offset));
  REQUIRE(resident_bytes(heap) >= 512 * 1024);
}

// With pages of whatever size: nothing is left of a block that reaches into two huge ones.
TEST_CASE("freed blocks take all of their pages with them") {
  const auto heap = make_heap(64 * mebibyte, Backing::memfd);
  HeapArena arena(heap);
  const auto before = arena.allocate(2 * mebibyte + 4096);
  const auto freed = arena.allocate(9 * mebibyte);
  std::memset(arena.memory_of(*before).data(), 1, before->bytes);
  std::memset(arena.memory_of(*freed).data(), 2, freed->bytes);
  REQUIRE(arena.free(freed->offset));
  REQUIRE(resident_bytes(heap) <= before->bytes + 4 * page_bytes());
  REQUIRE(arena.memory_of(*before).back() == std::byte{1});
  std::memset(arena.memory_of(*arena.allocate(9 * mebibyte)).data(), 2, 9 * mebibyte);
}

TEST_CASE("an arena over a heap in /dev/shm keeps its pages") {
  const auto heap = make_heap(4 * mebibyte, Backing::posix);
  HeapArena arena(heap);
  const auto block = arena.allocate(4 * mebibyte);
  std::memset(arena.memory_of(*block).data(), 3, block->bytes);
  REQUIRE(arena.free(block->offset));
  REQUIRE(heap.bytes().back() == std::byte{3});
}
