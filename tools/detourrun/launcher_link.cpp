#include "launcher_link.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "channel_server.hpp"

namespace detour::run {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds patience{20};

FileDescriptor begin_to_connect(const std::string& host, std::uint16_t port) {
  sockaddr_in target{};
  target.sin_family = AF_INET;
  target.sin_port = htons(port);
  if (::inet_pton(AF_INET, host.c_str(), &target.sin_addr) != 1) return {};
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) return {};
  const auto* const address = reinterpret_cast<const sockaddr*>(&target);
  if (::connect(socket.number(), address, sizeof target) != 0 && errno != EINPROGRESS) return {};
  return socket;
}

bool wait_for(int socket, short what, Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  pollfd wait{socket, what, 0};
  return ::poll(&wait, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0))) == 1;
}

// True when the launcher, and not somebody else, is at the other end.
bool greet(LineSocket& socket, const Hello& hello, Clock::time_point deadline) {
  if (!socket.send(to_line(hello))) return false;
  while (wait_for(socket.number(), POLLIN, deadline)) {
    const bool is_open = socket.receive();
    if (const auto line = socket.next_line()) return *line == welcome_line;
    if (!is_open) return false;
  }
  return false;
}

}  // namespace

Outcome<LineSocket> connect_to_launcher(const Address& address, const Hello& hello) {
  const bool is_near = address.network == network_identity();
  const auto hosts = is_near ? std::vector<std::string>{"127.0.0.1"} : address.hosts;
  std::vector<FileDescriptor> sockets;
  std::vector<pollfd> waits;
  for (const std::string& host : hosts) {
    FileDescriptor socket = begin_to_connect(host, address.port);
    if (!socket.is_open()) continue;
    waits.push_back({socket.number(), POLLOUT, 0});
    sockets.push_back(std::move(socket));
  }
  const auto deadline = Clock::now() + patience;
  while (!waits.empty()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0 ||
        ::poll(waits.data(), waits.size(), static_cast<int>(left.count())) <= 0) {
      break;
    }
    for (std::size_t at = waits.size(); at-- > 0;) {
      if (waits[at].revents == 0) continue;
      LineSocket socket(std::move(sockets[at]));
      // Sending fails at once on a connection that did not come about.
      if (greet(socket, hello, deadline)) {
        watch_peer(socket.number());
        return socket;
      }
      waits.erase(waits.begin() + static_cast<std::ptrdiff_t>(at));
      sockets.erase(sockets.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  return Failure{"can't reach the launcher from host " + hello.host + ", at port " +
                 std::to_string(address.port) + " of " +
                 (hosts.empty() ? "no address" : hosts.front())};
}

}  // namespace detour::run
