#include "program_channel.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include "address.hpp"
#include "launcher_channel.hpp"
#include "shm/system_error.hpp"

namespace detour::run {
namespace {

// Abstract names have no owner: anybody on the node may connect.
bool is_of_this_user(const FileDescriptor& socket) {
  ucred peer{};
  socklen_t bytes = sizeof peer;
  return ::getsockopt(socket.number(), SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 &&
         peer.uid == ::geteuid();
}

// The rest is the supervisor's to say.
bool is_from_program(const Message& message) {
  return std::holds_alternative<Abort>(message) || std::holds_alternative<Bereft>(message) ||
         std::holds_alternative<Awaits>(message) || std::holds_alternative<Met>(message) ||
         std::holds_alternative<Depends>(message);
}

}  // namespace

Outcome<ProgramChannel> ProgramChannel::open() {
  const auto token = random_token();
  if (!token.ok()) return token.without_value<ProgramChannel>();
  std::string name = "detourrun-" + token.value();
  FileDescriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const auto address = launcher_address(name);
  if (!listener.is_open() ||
      ::bind(listener.number(), reinterpret_cast<const sockaddr*>(&address.address),
             address.bytes) != 0 ||
      ::listen(listener.number(), SOMAXCONN) != 0) {
    return Failure{system_error("can't listen for the program")};
  }
  return ProgramChannel(std::move(listener), std::move(name));
}

void ProgramChannel::add_to(std::vector<pollfd>& waits) const {
  waits.push_back({listener_.number(), POLLIN, 0});
  for (const LineSocket& client : clients_) waits.push_back({client.number(), POLLIN, 0});
}

void ProgramChannel::accept_all() {
  while (true) {
    FileDescriptor socket(::accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket.is_open()) return;
    if (is_of_this_user(socket)) clients_.emplace_back(std::move(socket));
  }
}

std::vector<Message> ProgramChannel::take_messages() {
  accept_all();
  std::vector<Message> messages;
  std::erase_if(clients_, [&](LineSocket& client) {
    const bool is_open = client.receive();
    while (const auto line = client.next_line()) {
      const auto message = parse_line(*line);
      if (!message || !is_from_program(*message)) return true;
      messages.push_back(*message);
      client.send("ok");
    }
    return !is_open;
  });
  return messages;
}

}  // namespace detour::run
