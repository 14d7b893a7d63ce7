#include "core/lineage.hpp"

#include <vector>

#include "core/hash.hpp"

namespace detour {
namespace {

// Each member's block is where no other one is as long as the communicator is there.
std::uint64_t id_of(const Binding& binding) {
  std::vector<std::uint64_t> numbers;
  for (const MemberCard& card : binding.cards) {
    numbers.insert(numbers.end(), {card.process, card.heap.nonce[0], card.block_offset});
  }
  return hash_of(numbers);
}

}  // namespace

Lineage::Lineage(const Binding& binding) : circle_(binding), id_(id_of(binding)) {}

std::uint64_t Lineage::key_for_all() {
  const std::lock_guard lock(mutex_);
  return hash_of({id_, made_count_++});
}

std::uint64_t Lineage::key_for(std::uint64_t group_hash, int tag) {
  const std::uint64_t which = hash_of({group_hash, static_cast<std::uint64_t>(tag)});
  const std::lock_guard lock(mutex_);
  return hash_of({id_, which, made_counts_[which]++});
}

}  // namespace detour
