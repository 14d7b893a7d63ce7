// The socket on which a rank's program tells its supervisor something: lib/launcher_channel.hpp has
// the other end.
#pragma once

#include <poll.h>

#include <string>
#include <vector>

#include "detour/routing/outcome.hpp"
#include "line_socket.hpp"
#include "message.hpp"

namespace detour::run {

class ProgramChannel {
 public:
  static Outcome<ProgramChannel> open();

  // For the program's environment.
  const std::string& name() const { return name_; }

  void add_to(std::vector<pollfd>& waits) const;
  // Hears all that was said, and confirms it. Does not block.
  std::vector<Message> take_messages();

 private:
  ProgramChannel(FileDescriptor listener, std::string name)
      : listener_(std::move(listener)), name_(std::move(name)) {}
  void accept_all();

  FileDescriptor listener_;
  std::string name_;
  std::vector<LineSocket> clients_;
};

}  // namespace detour::run
