#include "address.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <array>
#include <fstream>
#include <memory>
#include <sstream>

#include "shm/system_error.hpp"

namespace detour::run {

std::string to_text(const Address& address) {
  std::string text = address.token + " " + address.network + " " + std::to_string(address.port);
  for (const std::string& host : address.hosts) text += " " + host;
  return text;
}

Outcome<Address> parse_address(std::string_view text) {
  std::istringstream words{std::string(text)};
  Address address;
  if (!(words >> address.token >> address.network >> address.port)) {
    return Failure{"no address of a launcher: '" + std::string(text) + "'"};
  }
  for (std::string host; words >> host;) address.hosts.push_back(host);
  return address;
}

Outcome<std::string> random_token() {
  std::array<unsigned char, 16> bytes;
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return Failure{system_error("no random numbers")};
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) {
    token += digits[byte >> 4];
    token += digits[byte & 15];
  }
  return token;
}

std::string network_identity() {
  std::string boot = "unknown";
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  struct stat network {};
  ::stat("/proc/self/ns/net", &network);
  return boot + "/" + std::to_string(network.st_ino);
}

std::vector<std::string> own_hosts() {
  std::vector<std::string> hosts;
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return hosts;
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> list(first, ::freeifaddrs);
  for (const ifaddrs* entry = first; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != AF_INET) continue;
    if ((entry->ifa_flags & IFF_UP) == 0 || (entry->ifa_flags & IFF_LOOPBACK) != 0) continue;
    std::array<char, INET_ADDRSTRLEN> text;
    const auto* const address = reinterpret_cast<const sockaddr_in*>(entry->ifa_addr);
    ::inet_ntop(AF_INET, &address->sin_addr, text.data(), text.size());
    hosts.emplace_back(text.data());
  }
  return hosts;
}

}  // namespace detour::run
