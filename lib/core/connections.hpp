// All that leads from one rank of a communicator to the others.
#pragma once

#include <mpi.h>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/binding.hpp"
#include "core/far_comm.hpp"
#include "core/ways.hpp"
#include "membership/shm_decision_store.hpp"
#include "node/call_board.hpp"

namespace detour {

class Connections {
 public:
  // What every member has in its heap for a communicator of so many.
  static BlockRequest block_for(std::size_t member_count);
  static const MemberBlockLayout& layout();

  // This rank's, where all ranks share memory.
  static std::optional<MemberBlock> own_block(const Binding& binding);

  // Collective over the communicator, if some ranks share no memory with this one.
  Connections(MPI_Comm comm, Binding binding);
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  const Binding& binding() const { return binding_; }
  // The other members' processes don't look at this one's block any more: it may be used for something else when this ends.
  void mark_forgotten() { binding_.block.mark_forgotten(); }
  const Ways& ways() const { return ways_; }
  // Where all ranks share memory.
  DecisionStore* decisions() { return decisions_ ? &*decisions_ : nullptr; }

  // A process of this node has died. True if it was a member.
  bool bury(std::uint64_t process);
  // Lets whoever sleeps on a counter of any member's look again.
  void wake_sleepers() const;
  void set_has_lost_members(std::function<bool()> has) { ways_.has_lost_members = std::move(has); }
  void set_room_maker(RoomMaker& room) { ways_.room = &room; }
  // Rung when there is something new; none if no memory is shared.
  Counter* bell() const { return binding_.heap ? &binding_.heap->doorbell() : nullptr; }

 private:
  void connect_near(int member, std::vector<MemberBlock>& blocks, std::vector<ShmMember>& members);

  Binding binding_;
  std::optional<CallBoard> board_;
  std::optional<ShmDecisionStore> decisions_;
  std::optional<ShmLinks> links_;
  std::optional<FarComm> far_;
  Ways ways_;
};

}  // namespace detour
