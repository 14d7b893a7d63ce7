#include "core/far_and_near_links.hpp"

#include <functional>

#include "core/waiting.hpp"

namespace detour {

FarAndNearLinks::FarAndNearLinks(const Ways& ways, const Route& route, std::uint64_t epoch) {
  if (ways.links != nullptr) {
    const auto claim = [&] {
      near_.emplace(*ways.links, route.program, route.message_bytes_max, epoch);
      return near_->has_room();
    };
    room_comes_later_ = !ways.room->get(std::ref(claim)) && ways.room->comes_later();
    if (room_comes_later_) return;
  }
  if (ways.far != nullptr) far_.emplace(*ways.far, route.program, route.message_bytes_max, epoch);
  if (near_ && far_) both_.emplace(*near_, *far_, ways.is_near);
}

int FarAndNearLinks::error() const {
  if (near_ && !near_->has_room()) return MPI_ERR_NO_MEM;
  return far_ ? far_->error() : MPI_SUCCESS;
}

Transport& FarAndNearLinks::transport() {
  if (both_) return *both_;
  if (near_) return *near_;
  return *far_;
}

void FarAndNearLinkSource::drop(std::size_t member) {
  if (ways_.links != nullptr) ways_.links->drop_peer(static_cast<Rank>(member));
}

// There are no attempts anew where messages go to other nodes.
void FarAndNearLinkSource::drop_messages_before(std::uint64_t epoch) {
  if (ways_.links != nullptr) ways_.links->drop_messages_before(epoch);
}

bool FarAndNearLinkSource::has_lost_members() const {
  return ways_.has_lost_members && ways_.has_lost_members();
}

// What goes to other nodes, the program's own messages too, moves on only while MPI is called. The transport calls
// it to see what has come from there; but this rank may be waiting for its neighbour alone.
void FarAndNearLinkSource::make_progress() {
  if (ways_.far != nullptr) make_mpi_progress();
}

}  // namespace detour
