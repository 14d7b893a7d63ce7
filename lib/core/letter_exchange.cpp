#include "core/letter_exchange.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/deaths.hpp"
#include "core/hash.hpp"
#include "core/waiting.hpp"

namespace detour {

Circle::Circle(const Binding& binding)
    : rank_(binding.rank), heap_(binding.heap), peers_(binding.peers) {
  for (const MemberCard& card : binding.cards) processes_.push_back(card.process);
}

LetterExchange::LetterExchange(const Circle& circle, std::vector<int> members, std::uint64_t key)
    : circle_(circle), members_(std::move(members)), key_(key) {
  const auto own = std::find(members_.begin(), members_.end(), circle.rank());
  rank_ = static_cast<int>(own - members_.begin());
}

LetterExchange::~LetterExchange() {
  wait_until([this] { return all_have_been_read(); });
  for (const std::size_t slot : slots_) circle_.box(circle_.rank()).withdraw(slot);
}

Exchange::Result LetterExchange::gather(std::span<const std::byte> mine,
                                        std::span<std::byte> everybodys) {
  const std::uint64_t key = next_key();
  slots_.push_back(circle_.box(circle_.rank()).post(key, mine));
  ring_all();
  std::vector<int> missing;
  for (int member = 0; member < size(); ++member) {
    if (member != rank_) missing.push_back(member);
  }
  const auto letter_of = [&](int member) {
    return everybodys.subspan(static_cast<std::size_t>(member) * mine.size(), mine.size());
  };
  std::copy(mine.begin(), mine.end(), letter_of(rank_).begin());
  const bool got_all = wait_until([&] {
    std::erase_if(missing, [&](int member) {
      LetterBox& box = circle_.box(members_[static_cast<std::size_t>(member)]);
      return box.read(key, letter_of(member));
    });
    return missing.empty();
  });
  if (!got_all) return Result::lost;
  ring_all();  // for those who wait for their letters to be read
  return Result::done;
}

bool LetterExchange::has_lost_members() {
  if (!Deaths::instance().any()) return false;
  return std::any_of(members_.begin(), members_.end(), [this](int member) {
    return Deaths::instance().has_died(circle_.process(member));
  });
}

std::uint64_t LetterExchange::next_key() {
  return std::max<std::uint64_t>(hash_of({key_, round_++}), 2);
}

void LetterExchange::ring_all() const {
  for (const int member : members_) {
    if (member != circle_.rank()) circle_.bell(member).add_one();
  }
}

bool LetterExchange::all_have_been_read() const {
  const LetterBox& box = circle_.box(circle_.rank());
  return std::all_of(slots_.begin(), slots_.end(),
                     [&](std::size_t slot) { return box.read_count(slot) + 1 == members_.size(); });
}

std::vector<PeerId> LetterExchange::companions() const {
  std::vector<PeerId> processes;
  for (const int member : members_) {
    if (member != circle_.rank()) processes.push_back(circle_.process(member));
  }
  return processes;
}

template <class Predicate>
bool LetterExchange::wait_until(Predicate is_over) {
  Activity activity(companions());
  const Inside inside(activity);
  const Waiter waiter = waiter_for(static_cast<std::size_t>(circle_.size()), activity);
  const Counter& bell = circle_.bell(circle_.rank());
  for (;;) {
    const std::uint64_t rung = bell.load();
    if (is_over()) return true;
    if (has_lost_members()) return false;
    // A death may become known without a ring.
    constexpr std::chrono::milliseconds slice{10};
    waiter.wait_for(bell, rung + 1, WaitClock::now() + slice);
  }
}

}  // namespace detour
