// The launcher's end of the connections to the ranks' supervisors.
#pragma once

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "address.hpp"
#include "detour/routing/outcome.hpp"
#include "line_socket.hpp"
#include "message.hpp"

namespace detour::run {

using ConnectionId = std::uint64_t;

struct Closed {};
struct ChannelEvent {
  ConnectionId connection = 0;
  std::variant<Message, Closed> what;
};

class ChannelServer {
 public:
  static Outcome<ChannelServer> open();

  const Address& address() const { return address_; }

  // What to wait for; `take_events` after the wait does not block.
  void add_to(std::vector<pollfd>& waits) const;
  // Of a stranger nothing is told: its first message must be a hello with the job's token.
  std::vector<ChannelEvent> take_events();

  void send(ConnectionId connection, std::string_view line);
  void send_to_all(std::string_view line);
  void close(ConnectionId connection) { connections_.erase(connection); }

  // Of supervisors that said hello.
  std::size_t connection_count() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Connection {
    LineSocket socket;
    bool is_known = false;
    Clock::time_point since;
  };

  ChannelServer(FileDescriptor listener, Address address)
      : listener_(std::move(listener)), address_(std::move(address)) {}

  void accept_all();
  void drop_silent_strangers();
  // False: the connection is over.
  bool take_lines(ConnectionId id, Connection& connection, std::vector<ChannelEvent>& events);

  FileDescriptor listener_;
  Address address_;
  std::map<ConnectionId, Connection> connections_;
  ConnectionId next_id_ = 0;
};

// Has the kernel find out, in about half a minute, when the other side's node is gone.
void watch_peer(int socket);

}  // namespace detour::run
