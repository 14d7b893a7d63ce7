// One collective call while it is carried out: a state machine that never blocks.
//
// Who drives it (a blocking call, the helper thread for a nonblocking one, a simulator) calls step() again
// and again, and waits as it sees fit while nothing moves. Each step is small, so that a simulator can let
// anything happen between two of them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "collectives/call_header.hpp"
#include "shm/wait_list.hpp"

namespace detour {

class Operation {
 public:
  virtual ~Operation() = default;

  enum class Progress { ended, moved, stuck };

  // Does the next thing that can be done.
  virtual Progress step() = 0;
  // After a step that was stuck. An empty list: what it waits for rings this process's bell or, if it comes from
  // another node, has to be asked for.
  virtual WaitList waits_for() const = 0;
  // After a step that was stuck: what it waits for is memory, and nobody tells when there is some. It has to be stepped
  // again after a while.
  virtual bool awaits_room() const { return false; }
  // After the end: 0, or the error, one of OperationErrors or one that a rank has found by itself. The same on all
  // survivors.
  virtual int error() const = 0;
};

// What errors are called where operations are used.
class OperationErrors {
 public:
  virtual ~OperationErrors() = default;

  // The ranks' calls don't match, or one of them has an error.
  virtual int disagreement(const CallVerdict& verdict) const = 0;
  virtual int no_memory() const = 0;
  virtual int no_route(std::string_view reason) const = 0;
  // The operation can't go on without these members, who are dead.
  virtual int members_lost(std::span<const std::size_t> ranks) const = 0;
  // The others take this rank for dead.
  virtual int fenced() const = 0;
};

}  // namespace detour
