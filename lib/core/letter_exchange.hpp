// An exchange among some members of a communicator who share memory: the others need not take part, nor know of it.
//
// Every member posts a letter in its own box and reads those of the others. All use the same key, which no other
// exchange has at the same time; a different one if they have different members in mind.
#pragma once

#include <cstdint>
#include <vector>

#include "core/circle.hpp"
#include "core/exchange.hpp"

namespace detour {

class LetterExchange final : public Exchange {
 public:
  // `members` are ranks in the circle, this rank's too: their order is that of the new ranks.
  LetterExchange(const Circle& circle, std::vector<int> members, std::uint64_t key);
  // Withdraws the letters: not before all have read them, or one of them is dead.
  ~LetterExchange() override;
  LetterExchange(const LetterExchange&) = delete;
  LetterExchange& operator=(const LetterExchange&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(members_.size()); }
  Result gather(std::span<const std::byte> mine, std::span<std::byte> everybodys) override;
  bool has_lost_members() override;
  std::vector<int> world_ranks() const override { return {}; }

 private:
  std::uint64_t next_key();
  void ring_all() const;
  bool all_have_been_read() const;
  // Those whom this process may have to wait for.
  std::vector<PeerId> companions() const;
  // Until `is_over`, which is asked whenever this process's bell has rung; false if a member dies before.
  template <class Predicate>
  bool wait_until(Predicate is_over);

  const Circle& circle_;
  const std::vector<int> members_;
  const std::uint64_t key_;
  int rank_ = 0;
  std::uint64_t round_ = 0;
  std::vector<std::size_t> slots_;  // of letters in the own box
};

}  // namespace detour
