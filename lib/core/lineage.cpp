#include "core/lineage.hpp"

#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "core/letter_exchange.hpp"

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

bool Lineage::all_let_go() const {
  constexpr std::uint64_t no_communicator = ~std::uint64_t{0};
  std::vector<int> members(static_cast<std::size_t>(circle_.size()));
  std::iota(members.begin(), members.end(), 0);
  LetterExchange exchange(circle_, std::move(members), hash_of({id_, no_communicator}));
  const std::byte mine{};
  std::vector<std::byte> everybodys(static_cast<std::size_t>(circle_.size()));
  return exchange.gather(std::span(&mine, 1), everybodys) == Exchange::Result::done;
}

}  // namespace detour
