#include "core/room_maker.hpp"

#include <algorithm>
#include <utility>

namespace detour {

RoomMaker::RoomMaker(const MemoryHolder& holder, std::function<Reclaimed()> give_back_own)
    : holder_(holder), give_back_own_(std::move(give_back_own)) {}

bool RoomMaker::get(const std::function<bool()>& attempt) {
  bool has_succeeded = attempt();
  while (!has_succeeded) {
    Reclaimed reclaimed = reclaim_memory(holder_);
    reclaimed.add(give_back_own_());
    // Also if nobody has given anything: another thread may just have freed a communicator.
    has_succeeded = attempt();
    if (has_succeeded || reclaimed.any) continue;
    if (!reclaimed.comes_later) break;
    wait_for(std::move(reclaimed.readers));
    return false;
  }
  stop_waiting();
  return has_succeeded;
}

// One wait as long as it is for the same readers: the detector sees them being waited for without a break.
void RoomMaker::wait_for(std::vector<PeerId> readers) {
  std::sort(readers.begin(), readers.end());
  readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
  if (!wait_ || wait_->readers != readers) wait_.emplace(std::move(readers));
  wait_->activity.moved();
  is_waiting_.store(true, std::memory_order_relaxed);
}

void RoomMaker::stop_waiting() {
  wait_.reset();
  is_waiting_.store(false, std::memory_order_relaxed);
}

}  // namespace detour
