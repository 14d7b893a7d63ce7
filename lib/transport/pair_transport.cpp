#include "transport/pair_transport.hpp"

namespace detour {

std::span<std::byte> PairTransport::reserve(Rank to, Lane lane, std::size_t bytes) {
  return way_to(to).reserve(to, lane, bytes);
}

void PairTransport::send(Rank to, Lane lane) {
  way_to(to).send(to, lane);
}

std::span<const std::byte> PairTransport::peek(Rank from, Lane lane) {
  return way_to(from).peek(from, lane);
}

void PairTransport::release(Rank from, Lane lane) {
  way_to(from).release(from, lane);
}

// Both are asked every time: asking is what lets a transport get on with its work.
bool PairTransport::flushed() {
  const bool near_is_flushed = near_.flushed();
  return far_.flushed() && near_is_flushed;
}

}  // namespace detour
