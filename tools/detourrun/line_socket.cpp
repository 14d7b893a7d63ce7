#include "line_socket.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "message.hpp"

namespace detour::run {

bool LineSocket::receive() {
  std::array<char, line_bytes_max> buffer;
  while (true) {
    const auto count = ::recv(socket_.number(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    if (count == 0) return false;
    received_.append(buffer.data(), static_cast<std::size_t>(count));
    if (received_.size() - (received_.rfind('\n') + 1) > line_bytes_max) return false;
    // The rest is for the next turn: nobody may keep the others waiting.
    if (received_.size() >= buffer.size()) return true;
  }
}

std::optional<std::string> LineSocket::next_line() {
  const auto end = received_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return line;
}

bool LineSocket::send(std::string_view line) const {
  std::string bytes(line);
  bytes += '\n';
  const auto count =
      ::send(socket_.number(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  return count == static_cast<ssize_t>(bytes.size());
}

}  // namespace detour::run
