// What an executor needs of the world: queues of messages between pairs of ranks.
#pragma once

#include <cstddef>
#include <span>

#include "collectives/program.hpp"

namespace detour {

// The queues of one attempt at one operation. A message is written in place and read in place: over
// shared memory nothing is copied on the way, over MPI both places are buffers of the library.
//
// Nothing here blocks. A queue is first in, first out; it belongs to one epoch, and what a former
// epoch left behind never shows up in it.
class Transport {
 public:
  virtual ~Transport() = default;

  // Room for the next message to a peer; an empty span while the queue is full. Asking again
  // before send() gives the same room.
  virtual std::span<std::byte> reserve(Rank to, Lane lane, std::size_t bytes) = 0;
  // Sends what was written into the reserved room.
  virtual void send(Rank to, Lane lane) = 0;

  // The oldest message of a peer that was not released; an empty span if none has arrived.
  virtual std::span<const std::byte> peek(Rank from, Lane lane) = 0;
  // Done with it: its room may be used again.
  virtual void release(Rank from, Lane lane) = 0;

  // Whether everything sent has left this rank's hands.
  virtual bool flushed() = 0;
};

}  // namespace detour
