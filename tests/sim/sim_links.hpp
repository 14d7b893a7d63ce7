// The library's queues in shared memory, with messages that take a time of their own, in which others overtake them.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <utility>

#include "operations/operation_links.hpp"
#include "sim/sim_process.hpp"
#include "transport/shm_transport.hpp"

namespace detour::sim {

class SimTransport final : public Transport {
 public:
  // All have to live longer. Processes by rank.
  SimTransport(Transport& queues, Surroundings& surroundings, SimProcess& own,
               const std::vector<SimProcess*>& processes)
      : queues_(queues), surroundings_(surroundings), own_(own), processes_(processes) {}

  std::span<std::byte> reserve(Rank to, Lane lane, std::size_t bytes) override;
  void send(Rank to, Lane lane) override;
  std::span<const std::byte> peek(Rank from, Lane lane) override;
  void release(Rank from, Lane lane) override;
  bool flushed() override { return queues_.flushed(); }

 private:
  Transport& queues_;
  Surroundings& surroundings_;
  SimProcess& own_;
  const std::vector<SimProcess*>& processes_;
  // By sender and lane: when the oldest message comes, once that was drawn.
  std::map<std::pair<Rank, Lane>, std::uint64_t> arrival_us_;
};

class SimLinks final : public OperationLinks {
 public:
  SimLinks(ShmLinks& links, const Route& route, std::uint64_t epoch, int error_without_room,
           bool room_comes_later, Surroundings& surroundings, SimProcess& own,
           const std::vector<SimProcess*>& processes)
      : queues_(links, route.program, route.message_bytes_max, epoch),
        transport_(queues_, surroundings, own, processes),
        room_comes_later_(room_comes_later),
        error_(queues_.has_room() && !room_comes_later_ ? 0 : error_without_room) {}

  int error() const override { return error_; }
  bool room_comes_later() const override { return room_comes_later_; }
  Transport& transport() override { return transport_; }

 private:
  ShmTransport queues_;
  SimTransport transport_;
  bool room_comes_later_;
  int error_;
};

class SimLinkSource final : public LinkSource {
 public:
  SimLinkSource(ShmLinks& links, int error_without_room, Surroundings& surroundings,
                SimProcess& own, const std::vector<SimProcess*>& processes)
      : links_(links),
        error_without_room_(error_without_room),
        surroundings_(surroundings),
        own_(own),
        processes_(processes) {}

  std::unique_ptr<OperationLinks> open(const Route& route, std::uint64_t epoch) override;
  void drop(std::size_t member) override;
  void drop_messages_before(std::uint64_t epoch) override { links_.drop_messages_before(epoch); }
  bool has_lost_members() const override { return false; }
  void make_progress() override {}

  // There is no memory the so many-th time from now; 0: there always is.
  void fail_at(int open_count) { opens_left_ = open_count; }

 private:
  ShmLinks& links_;
  const int error_without_room_;
  Surroundings& surroundings_;
  SimProcess& own_;
  const std::vector<SimProcess*>& processes_;
  int opens_left_ = 0;
};

}  // namespace detour::sim
