// A connection on which lines of text go both ways. Never blocks.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shm/file_descriptor.hpp"

namespace detour::run {

class LineSocket {
 public:
  explicit LineSocket(FileDescriptor socket) : socket_(std::move(socket)) {}

  int number() const { return socket_.number(); }

  // Takes what has arrived. False: that was the last, because the connection is closed or broken, or
  // the other side sends lines without end.
  bool receive();
  std::optional<std::string> next_line();

  // A line is far smaller than the room that a socket has, so one that does not fit goes to somebody
  // who is not listening: false, as if the connection were broken.
  bool send(std::string_view line) const;

 private:
  FileDescriptor socket_;
  std::string received_;
};

}  // namespace detour::run
