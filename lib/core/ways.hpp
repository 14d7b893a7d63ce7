// How one rank reaches the others of its communicator.
#pragma once

#include <functional>
#include <vector>

#include "core/room_maker.hpp"
#include "node/call_board.hpp"
#include "transport/mpi_transport.hpp"
#include "transport/shm_links.hpp"

namespace detour {

struct Ways {
  CallBoard* board = nullptr;     // none: ranks agree on calls by messages
  ShmLinks* links = nullptr;      // none: no memory is shared
  const MpiRoute* far = nullptr;  // none: all ranks are on this node
  std::vector<bool> is_near;      // by rank: on this node, sharing memory
  RoomMaker* room = nullptr;      // to be asked when shared memory is short
  // Whether a member is known to be dead.
  std::function<bool()> has_lost_members;
  // To be rung when a call is entered on the board, by rank; none for this rank itself.
  std::vector<Counter*> bells;
};

}  // namespace detour
