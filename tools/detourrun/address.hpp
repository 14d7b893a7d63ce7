// How the supervisor of a rank reaches the launcher, from the same node or another one.
//
// As text, in a variable of the environment: "TOKEN NETWORK PORT ADDRESS...". Whoever knows the
// token belongs to the job. In the launcher's own network (told by its kernel and namespace) the
// loopback address is taken, elsewhere one of the others: so the token is never told to a stranger
// who happens to listen on that port of another machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "detour/routing/outcome.hpp"

namespace detour::run {

struct Address {
  std::string token;
  std::string network;
  std::uint16_t port = 0;
  std::vector<std::string> hosts;  // IPv4, of all interfaces but loopback
};

std::string to_text(const Address& address);
Outcome<Address> parse_address(std::string_view text);

// 32 hexadecimal digits that nobody can guess.
Outcome<std::string> random_token();

// The same for two processes exactly if they share a loopback interface.
std::string network_identity();

std::vector<std::string> own_hosts();

}  // namespace detour::run
