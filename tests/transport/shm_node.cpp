#include "transport/shm_node.hpp"

#include "collectives/executor.hpp"
#include "collectives/program.hpp"

namespace detour::test {
namespace {

// Far more than any operation of a test takes: who waits so long has been forgotten.
constexpr std::chrono::seconds hang_limit{60};

Buffers in_place(std::vector<std::int64_t>& data) {
  auto* bytes = reinterpret_cast<std::byte*>(data.data());
  return {bytes, bytes};
}

}  // namespace

ShmNode::ShmNode(std::int32_t rank_count, std::size_t heap_bytes)
    : mutexes_(static_cast<std::size_t>(rank_count)) {
  for (Rank rank = 0; rank < rank_count; ++rank) {
    heaps_.push_back(SharedHeap::create(heap_bytes).value());
    HeapArena& arena = arenas_.emplace_back(heaps_.back());
    const auto member_count = static_cast<std::size_t>(rank_count);
    const auto table = arena.allocate(LinkTable::bytes(member_count));
    const auto bell = arena.allocate(sizeof(Counter), alignof(Counter));
    std::byte* table_place = arena.memory_of(table.value()).data();
    LinkTable::create_at(table_place, member_count);
    members_.push_back({table_place, heaps_.back().bytes(),
                        &Counter::create_at(arena.memory_of(bell.value()).data())});
  }
}

std::optional<std::string> ShmRank::run(const SumOperation& operation, std::uint64_t epoch) {
  const Program program =
      make_program(operation.flows, rank_, node_.rank_count(), operation.chunk_elements);
  const Sums sums;
  ShmTransport transport(links_, program, operation.message_bytes_max(), epoch);
  if (!transport.has_room()) return "no room in the arena";
  std::vector<std::int64_t> data = input_of(operation, rank_);
  Executor executor(program, sums, transport, in_place(data));
  const Waiter waiter(WaitPolicy::for_load(static_cast<std::size_t>(node_.rank_count()), 2));
  Counter& bell = node_.bell(rank_);
  for (;;) {
    const std::uint64_t seen = bell.load();
    const auto progress = executor.step();
    if (progress == Executor::Progress::finished) break;
    if (progress == Executor::Progress::moved) continue;
    if (waiter.wait_for(bell, seen + 1, WaitClock::now() + hang_limit) != WaitResult::reached) {
      return "rank " + std::to_string(rank_) + " hangs";
    }
  }
  return find_wrong_sum(operation, rank_, node_.rank_count(), data);
}

std::optional<std::string> ShmRank::begin(const SumOperation& operation, std::uint64_t epoch,
                                          std::uint32_t turn_count) {
  const Program program =
      make_program(operation.flows, rank_, node_.rank_count(), operation.chunk_elements);
  const Sums sums;
  ShmTransport transport(links_, program, operation.message_bytes_max(), epoch);
  if (!transport.has_room()) return "no room in the arena";
  std::vector<std::int64_t> data = input_of(operation, rank_);
  Executor executor(program, sums, transport, in_place(data));
  for (std::uint32_t turn = 0; turn < turn_count; ++turn) executor.step();
  return std::nullopt;
}

}  // namespace detour::test
