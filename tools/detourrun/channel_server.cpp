#include "channel_server.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "shm/system_error.hpp"

namespace detour::run {
namespace {

// A supervisor says hello as soon as it is connected.
constexpr std::chrono::seconds stranger_patience{10};

}  // namespace

void watch_peer(int socket) {
  const auto set = [socket](int level, int option, int value) {
    ::setsockopt(socket, level, option, &value, sizeof value);
  };
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 10);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set(IPPROTO_TCP, TCP_KEEPCNT, 4);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, 30'000);
  set(IPPROTO_TCP, TCP_NODELAY, 1);
}

Outcome<ChannelServer> ChannelServer::open() {
  FileDescriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener.is_open()) return Failure{system_error("can't make a socket")};
  sockaddr_in any{};
  any.sin_family = AF_INET;
  any.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t bytes = sizeof any;
  auto* const address = reinterpret_cast<sockaddr*>(&any);
  if (::bind(listener.number(), address, bytes) != 0 ||
      ::listen(listener.number(), SOMAXCONN) != 0 ||
      ::getsockname(listener.number(), address, &bytes) != 0) {
    return Failure{system_error("can't listen for the ranks")};
  }
  auto token = random_token();
  if (!token.ok()) return token.without_value<ChannelServer>();
  return ChannelServer(std::move(listener), Address{std::move(token).value(), network_identity(),
                                                    ntohs(any.sin_port), own_hosts()});
}

void ChannelServer::add_to(std::vector<pollfd>& waits) const {
  waits.push_back({listener_.number(), POLLIN, 0});
  for (const auto& [id, connection] : connections_) {
    waits.push_back({connection.socket.number(), POLLIN, 0});
  }
}

void ChannelServer::accept_all() {
  while (true) {
    FileDescriptor socket(::accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket.is_open()) return;
    watch_peer(socket.number());
    connections_.emplace(next_id_++,
                         Connection{LineSocket(std::move(socket)), false, Clock::now()});
  }
}

void ChannelServer::drop_silent_strangers() {
  const auto oldest = Clock::now() - stranger_patience;
  std::erase_if(connections_, [&](const auto& entry) {
    return !entry.second.is_known && entry.second.since < oldest;
  });
}

bool ChannelServer::take_lines(ConnectionId id, Connection& connection,
                               std::vector<ChannelEvent>& events) {
  const bool is_open = connection.socket.receive();
  while (const auto line = connection.socket.next_line()) {
    auto message = parse_line(*line);
    if (!message) return false;
    const auto* const hello = std::get_if<Hello>(&*message);
    if (connection.is_known == (hello != nullptr)) return false;
    if (hello != nullptr && hello->token != address_.token) return false;
    connection.is_known = true;
    events.push_back({id, *std::move(message)});
  }
  return is_open;
}

std::vector<ChannelEvent> ChannelServer::take_events() {
  accept_all();
  drop_silent_strangers();
  std::vector<ChannelEvent> events;
  for (auto at = connections_.begin(); at != connections_.end();) {
    if (take_lines(at->first, at->second, events)) {
      ++at;
      continue;
    }
    if (at->second.is_known) events.push_back({at->first, Closed{}});
    at = connections_.erase(at);
  }
  return events;
}

void ChannelServer::send(ConnectionId connection, std::string_view line) {
  const auto found = connections_.find(connection);
  // If that fails the connection is broken, and the next wait tells.
  if (found != connections_.end()) found->second.socket.send(line);
}

void ChannelServer::send_to_all(std::string_view line) {
  for (const auto& [id, connection] : connections_) {
    if (connection.is_known) connection.socket.send(line);
  }
}

std::size_t ChannelServer::connection_count() const {
  std::size_t count = 0;
  for (const auto& [id, connection] : connections_) count += connection.is_known ? 1 : 0;
  return count;
}

}  // namespace detour::run
