// How a rank talks to detourrun, the launcher, if it was started by it.
//
// Each rank runs under a small supervisor on its own node, which listens on a socket of that node.
// A message is one line on a connection of its own, and "ok" comes back when it is on its way:
//
//   abort STATUS WORDS      the whole job has to end, with that status; the words are for people
//   bereft WORDS            the whole job has to end because ranks have died; its status is theirs
//   awaits ID RANKS WORDS   this rank can't go on before it has met those ranks of its job, 0-3,5 say: if any of
//                           them has ended, or does, the launcher ends the job
//   met ID                  it has
//   depends WORDS           the others can't go on without a rank that dies, for that reason: then all have to end
//
// In a header alone, because the launcher is built without the library and the library without the
// launcher.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "shm/file_descriptor.hpp"

namespace detour {

// Has the name of the supervisor's socket, in the abstract namespace: it needs no file, and goes
// with the supervisor. No DETOUR_ name, because it is not a setting.
inline constexpr const char* launcher_channel_variable = "_DETOUR_RUN_CHANNEL";
inline constexpr std::size_t launcher_line_bytes_max = 1024;

struct LauncherAddress {
  sockaddr_un address{};
  socklen_t bytes = 0;
};

// A name that is too long for a socket is cut: the connection then fails.
inline LauncherAddress launcher_address(std::string_view name) {
  LauncherAddress result;
  result.address.sun_family = AF_UNIX;
  // The zero byte in front says that the name is abstract.
  const auto count = name.copy(result.address.sun_path + 1, sizeof result.address.sun_path - 1);
  result.bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + count);
  return result;
}

inline bool is_under_launcher() {
  return std::getenv(launcher_channel_variable) != nullptr;
}

// A system call that is begun again when a signal has interrupted it.
template <class SystemCall>
auto uninterrupted(const SystemCall& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

// True: the launcher knows. False: there is none, or it can't be reached.
inline bool tell_launcher(std::string line) {
  const char* const name = std::getenv(launcher_channel_variable);
  if (name == nullptr) return false;
  const FileDescriptor channel(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!channel.is_open()) return false;
  const auto target = launcher_address(name);
  const auto* const address = reinterpret_cast<const sockaddr*>(&target.address);
  const int connected =
      uninterrupted([&] { return ::connect(channel.number(), address, target.bytes); });
  if (connected != 0) return false;

  line.resize(std::min(line.size(), launcher_line_bytes_max - 1));
  std::replace(line.begin(), line.end(), '\n', ' ');
  line += '\n';
  const auto sent = uninterrupted(
      [&] { return ::send(channel.number(), line.data(), line.size(), MSG_NOSIGNAL); });
  if (sent != static_cast<ssize_t>(line.size())) return false;
  char answer[2];
  std::size_t received = 0;
  while (received < sizeof answer) {
    const auto more = uninterrupted(
        [&] { return ::recv(channel.number(), answer + received, sizeof answer - received, 0); });
    if (more <= 0) return false;
    received += static_cast<std::size_t>(more);
  }
  return std::memcmp(answer, "ok", sizeof answer) == 0;
}

// Has the launcher end the whole job. True: it will end this process too, soon but not at once.
inline bool announce_abort(int status, std::string_view words) {
  return tell_launcher("abort " + std::to_string(status) + " " + std::string(words));
}

// The same, because of ranks that have died: the status is the launcher's to know.
inline bool announce_loss(std::string_view words) {
  return tell_launcher("bereft " + std::string(words));
}

// As long as it lives this rank waits for others, whose deaths only the launcher knows of.
class AnnouncedWait {
 public:
  AnnouncedWait(const std::string& ranks, std::string_view words)
      : id_(static_cast<int>(reinterpret_cast<std::uintptr_t>(this) >> 3 & 0x7fffffff)),
        is_announced_(tell_launcher("awaits " + std::to_string(id_) + " " + ranks + " " +
                                    std::string(words))) {}
  ~AnnouncedWait() {
    if (is_announced_) tell_launcher("met " + std::to_string(id_));
  }
  AnnouncedWait(const AnnouncedWait&) = delete;
  AnnouncedWait& operator=(const AnnouncedWait&) = delete;

 private:
  const int id_;  // of no other of this process, whichever library it is in
  const bool is_announced_;
};

// Has the launcher end the whole job as soon as it has lost any rank, now or later: one that was killed, that ended
// with a bad status, or that is gone with its node.
inline bool announce_dependence(std::string_view words) {
  return tell_launcher("depends " + std::string(words));
}

}  // namespace detour
