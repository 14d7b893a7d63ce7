#include "core/connections.hpp"

#include <utility>

#include "node/block_layout.hpp"

namespace detour {
namespace {

std::size_t whole_lines(std::size_t bytes) {
  constexpr std::size_t line_bytes = 64;
  return (bytes + line_bytes - 1) / line_bytes * line_bytes;
}

// A member's block, and behind it its table of links and its part in decisions.
std::size_t links_offset() {
  return whole_lines(block_layout.block_bytes());
}

std::size_t decisions_offset(std::size_t member_count) {
  return links_offset() + whole_lines(LinkTable::bytes(member_count));
}

}  // namespace

const MemberBlockLayout& Connections::layout() {
  return block_layout;
}

BlockRequest Connections::block_for(std::size_t member_count) {
  return {decisions_offset(member_count) + ShmDecisionStore::part_bytes(member_count),
          [member_count](std::byte* heap, std::size_t offset) {
            MemberBlock(heap, offset, block_layout).create();
            LinkTable::create_at(heap + offset + links_offset(), member_count);
            ShmDecisionStore::create_at(heap + offset + decisions_offset(member_count),
                                        member_count);
          }};
}

std::optional<MemberBlock> Connections::own_block(const Binding& binding) {
  if (binding.size == 1 || !binding.shares_memory() || !binding.is_one_node()) return std::nullopt;
  return MemberBlock(binding.heap->base(), binding.block.offset(), block_layout);
}

Connections::Connections(MPI_Comm comm, Binding binding) : binding_(std::move(binding)) {
  if (binding_.size == 1) return;
  const auto size = static_cast<std::size_t>(binding_.size);
  ways_.is_near.resize(size);
  ways_.bells.resize(size);
  std::vector<MemberBlock> blocks;
  std::vector<ShmMember> members(size);
  for (int member = 0; member < binding_.size; ++member) {
    const bool near = binding_.shares_memory() && binding_.is_on_own_node(member);
    ways_.is_near[static_cast<std::size_t>(member)] = near;
    if (near) connect_near(member, blocks, members);
  }
  if (binding_.shares_memory()) {
    links_.emplace(binding_.rank, members,
                   GuardedArena{binding_.heap->arena(), binding_.heap->mutex()});
    ways_.links = &*links_;
  }
  if (blocks.size() == size) {
    board_.emplace(static_cast<std::size_t>(binding_.rank), std::move(blocks));
    ways_.board = &*board_;
    std::vector<std::byte*> parts;
    for (int member = 0; member < binding_.size; ++member) {
      parts.push_back(binding_.heap_bytes(member).data() + binding_.card(member).block_offset +
                      decisions_offset(size));
    }
    decisions_.emplace(static_cast<std::size_t>(binding_.rank), std::move(parts));
  } else {
    far_.emplace(comm, ways_.is_near);
    ways_.far = &far_->route();
  }
}

bool Connections::bury(std::uint64_t process) {
  bool is_member = false;
  for (int member = 0; member < binding_.size; ++member) {
    if (binding_.card(member).process != process) continue;
    is_member = true;
    if (board_) seal(board_->members()[static_cast<std::size_t>(member)]);
  }
  return is_member;
}

void Connections::wake_sleepers() const {
  if (!board_) return;
  for (const MemberBlock& member : board_->members()) {
    for (Counter* counter : member.counters()) counter->wake_sleepers();
  }
}

void Connections::connect_near(int member, std::vector<MemberBlock>& blocks,
                               std::vector<ShmMember>& members) {
  const auto at = static_cast<std::size_t>(member);
  const std::span heap = binding_.heap_bytes(member);
  const std::size_t offset = binding_.card(member).block_offset;
  Counter& bell = OwnHeap::doorbell_of(heap.data());
  blocks.emplace_back(heap.data(), offset, block_layout);
  members[at] = {heap.data() + offset + links_offset(), heap, &bell};
  if (member != binding_.rank) ways_.bells[at] = &bell;
}

}  // namespace detour
