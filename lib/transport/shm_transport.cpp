#include "transport/shm_transport.hpp"

namespace detour {

ShmTransport::ShmTransport(ShmLinks& links, const Program& program, std::size_t message_bytes_max,
                           std::uint64_t epoch)
    : links_(links), epoch_(epoch), claim_(links.claim(program, message_bytes_max)) {
  for (const Link& link : program.incoming) {
    if (!links.shares_memory_with(link.peer)) continue;
    unseen_.push_back(&links.receiver(link.peer, link.lane));
  }
}

ShmTransport::~ShmTransport() {
  if (claim_) links_.end_claim(*claim_);
}

std::span<std::byte> ShmTransport::reserve(Rank to, Lane lane, std::size_t bytes) {
  if (!claim_) return {};
  const auto room = links_.sender(to, lane).reserve(bytes);
  if (room.empty()) drop_former_epochs();
  return room;
}

void ShmTransport::send(Rank to, Lane lane) {
  links_.sender(to, lane).send(epoch_);
}

std::span<const std::byte> ShmTransport::peek(Rank from, Lane lane) {
  const auto message = links_.receiver(from, lane).peek(epoch_);
  if (message.empty()) drop_former_epochs();
  return message;
}

void ShmTransport::release(Rank from, Lane lane) {
  links_.receiver(from, lane).release();
}

// A sender may still have been at it when this attempt began, so once is not enough.
void ShmTransport::drop_former_epochs() {
  std::erase_if(unseen_, [this](ShmReceiver* link) { return !link->peek(epoch_).empty(); });
}

}  // namespace detour
