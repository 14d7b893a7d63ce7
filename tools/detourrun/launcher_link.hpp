// The connection of a rank's supervisor to the launcher.
#pragma once

#include "address.hpp"
#include "detour/routing/outcome.hpp"
#include "line_socket.hpp"
#include "message.hpp"

namespace detour::run {

// Tries all addresses at once, because those of networks that don't lead here answer nothing at all.
// The launcher has welcomed the rank when this returns.
Outcome<LineSocket> connect_to_launcher(const Address& address, const Hello& hello);

}  // namespace detour::run
