#include "sim/sim_links.hpp"

#include <new>

namespace detour::sim {

std::span<std::byte> SimTransport::reserve(Rank to, Lane lane, std::size_t bytes) {
  own_.fate().pass_point();
  return queues_.reserve(to, lane, bytes);
}

void SimTransport::send(Rank to, Lane lane) {
  own_.fate().pass_point();
  queues_.send(to, lane);
}

// Some messages are there at once. The bell rings when another one has come.
std::span<const std::byte> SimTransport::peek(Rank from, Lane lane) {
  own_.fate().pass_point();
  const auto message = queues_.peek(from, lane);
  if (message.empty()) return message;
  if (surroundings_.cuts.are_apart(processes_[static_cast<std::size_t>(from)]->number(),
                                   own_.number())) {
    return {};
  }
  if (surroundings_.message_delay_us_max == 0) return message;
  Agenda& agenda = surroundings_.agenda;
  const auto [place, is_new] = arrival_us_.try_emplace({from, lane}, agenda.now_us());
  if (is_new && surroundings_.below(2) == 0) {
    const std::uint64_t delay_us = 1 + surroundings_.below(surroundings_.message_delay_us_max);
    place->second += delay_us;
    agenda.plan(delay_us, [&bell = own_.bell()] { bell.add_one(); });
  }
  return place->second <= agenda.now_us() ? message : std::span<const std::byte>{};
}

void SimTransport::release(Rank from, Lane lane) {
  own_.fate().pass_point();
  arrival_us_.erase({from, lane});
  queues_.release(from, lane);
}

std::unique_ptr<OperationLinks> SimLinkSource::open(const Route& route, std::uint64_t epoch) {
  own_.fate().pass_point();
  const bool is_late = surroundings_.room_is_late();
  if (!is_late && opens_left_ > 0 && --opens_left_ == 0) throw std::bad_alloc();
  return std::make_unique<SimLinks>(links_, route, epoch, error_without_room_, is_late,
                                    surroundings_, own_, processes_);
}

void SimLinkSource::drop(std::size_t member) {
  own_.fate().pass_point();
  links_.drop_peer(static_cast<Rank>(member));
  own_.fate().pass_point();
}

}  // namespace detour::sim
