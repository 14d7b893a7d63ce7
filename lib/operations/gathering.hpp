// How those who have entered a call learn that all have.
//
// Everybody posts a notice (node/notice.hpp), and finds all that it needs in those of the others. Where more than two ranks
// share cores there is a shorter way: everybody counts itself in one word (shm/arrivals.hpp), whoever comes last is the
// only one who looks at all notices, and if the call is small it forms the result and says so in another word
// (node/work_ledger.hpp), the only one that the others look at.
//
// All of that is a shortcut. Who is in a call, and what it has called, is what counters and entries say: whoever finds no
// notice, or is told nothing, because somebody died at the wrong moment or does not count, looks there.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "node/call_board.hpp"
#include "shm/wait_list.hpp"

namespace detour {

class Gathering {
 public:
  // Whether there are more ranks than cores. Each rank may see that as it likes.
  enum class Node { roomy, crowded };
  Gathering(CallBoard& board, Node node) : board_(board), node_(node) {}

  bool is_roomy() const { return node_ == Node::roomy; }
  // Whether so few are in the call that this rank had better form all of a result itself than share the work. Of two each
  // reads as much of the other's data as it would of data and parts together. Of four it reads twice as much, but where they
  // share cores, taking parts and fetching them costs more than that.
  bool is_among_few() const { return board_.present().size() <= (is_roomy() ? 2U : 4U); }

  // This rank enters the board's call. Whether it can be told what comes of it: not if its data is large, nor if it has an
  // error in its call, and has to hear what the others make of that.
  [[gnu::hot]] void begin(bool may_be_told);
  // It has entered, with this data if it is little. Whether all others seem to be there.
  [[gnu::hot]] bool post(std::span<const std::byte> small);

  // A look while this rank waits: whether there is something to be found now.
  bool has_news() const {
    if (ledger_ == nullptr) return board_.all_have_posted();
    return news().is_there();
  }
  // Who has told the result, if somebody has: it had seen that all entered, with calls that agree with each other's and this
  // one's.
  std::optional<std::size_t> teller() const {
    return tells_ ? ledger_->done_by(board_.call_number(), 0) : std::nullopt;
  }
  // What was told, or is to be told, of a call on so many bytes.
  void copy_told(std::size_t teller, std::byte* result, std::size_t bytes) const;
  [[gnu::hot]] void tell(const std::byte* result, std::size_t bytes) const;

  // For whoever waits: adds what there is to look at besides the counters.
  void add_to(WaitList& awaited) const;
  WaitList::Comers comers() const;

  // After the call.
  [[gnu::hot]] void end();

 private:
  bool counts() const;
  WorkLedger& ledger_of_call() const;
  WaitList::Shortcut news() const;

  CallBoard& board_;
  const Node node_;
  bool tells_ = false;
  WorkLedger* ledger_ = nullptr;  // where those who share cores count themselves
  Arrivals::Tally last_comers_;   // to the call before
};

}  // namespace detour
