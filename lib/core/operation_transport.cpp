#include "core/operation_transport.hpp"

namespace detour {

OperationTransport::OperationTransport(const Ways& ways, const Route& route, std::uint64_t epoch) {
  if (ways.links != nullptr) {
    near_.emplace(*ways.links, route.program, route.message_bytes_max, epoch);
    if (!near_->has_room() && ways.make_room && ways.make_room()) {
      near_.emplace(*ways.links, route.program, route.message_bytes_max, epoch);
    }
  }
  if (ways.far != nullptr) far_.emplace(*ways.far, route.program, route.message_bytes_max, epoch);
  if (near_ && far_) both_.emplace(*near_, *far_, ways.is_near);
}

int OperationTransport::error() const {
  if (near_ && !near_->has_room()) return MPI_ERR_NO_MEM;
  return far_ ? far_->error() : MPI_SUCCESS;
}

Transport& OperationTransport::transport() {
  if (both_) return *both_;
  if (near_) return *near_;
  return *far_;
}

}  // namespace detour
