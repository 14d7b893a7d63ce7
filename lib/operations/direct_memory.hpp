// What direct operations need of this rank's heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "node/member_block.hpp"

namespace detour {

// Where this rank's slots are in its heap.
class DirectMemory {
 public:
  virtual ~DirectMemory() = default;

  // Of so many bytes, always the same while they are in use. None: there is no room.
  virtual std::optional<std::uint64_t> pipeline(std::size_t bytes) = 0;
  // The same if there is one already.
  virtual std::optional<std::uint64_t> pipeline_if_there() const = 0;
  // After none: there will be room, when others have read what they are reading. It may be asked for again then.
  virtual bool room_comes_later() const { return false; }

  struct Room {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };
  // For results that have to be kept; less than asked for, even none, if there is no room. The room of the call
  // before may still be read until all have entered this one: all_have_entered() tells.
  virtual Room results(std::size_t bytes) = 0;
  virtual void all_have_entered() = 0;

  // Where in the heap this data of the program's is, so that the others can get at it; MemberBlock::nowhere if elsewhere.
  virtual std::uint64_t place_of(std::span<const std::byte>) const { return MemberBlock::nowhere; }
};

}  // namespace detour
