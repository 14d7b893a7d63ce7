// What a routed operation sends over: made anew for every attempt.
#pragma once

#include <cstdint>
#include <memory>

#include "collectives/transport.hpp"
#include "operations/route_book.hpp"

namespace detour {

// The links of one attempt, with all memory that it takes.
class OperationLinks {
 public:
  virtual ~OperationLinks() = default;

  // 0, or an error: there was no memory, or messages can't be sent any more. After an error nothing moves.
  virtual int error() const = 0;
  // After an error: there will be memory, when others have read what they are reading. Other links may be opened then.
  virtual bool room_comes_later() const { return false; }
  virtual Transport& transport() = 0;
};

class LinkSource {
 public:
  virtual ~LinkSource() = default;

  // The route has to live longer. Epochs rise from attempt to attempt; look at error() before the other ranks are
  // told to start.
  virtual std::unique_ptr<OperationLinks> open(const Route& route, std::uint64_t epoch) = 0;
  // The member is dead, and was agreed to be.
  virtual void drop(std::size_t member) = 0;
  // Nobody sends any more in attempts of former epochs, and nobody wants what was left of them.
  virtual void drop_messages_before(std::uint64_t epoch) = 0;

  // For members that don't share memory: whether one is known to be lost, and what keeps messages moving while
  // this rank waits.
  virtual bool has_lost_members() const = 0;
  virtual void make_progress() = 0;
};

}  // namespace detour
