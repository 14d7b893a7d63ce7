#include "placement/host_identity.hpp"

#include <unistd.h>

#include <array>
#include <fstream>
#include <string>

#include "fingerprint.hpp"

namespace detour {
namespace {

// Empty where /proc is hidden; the host name has to do then.
std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string text;
  std::getline(file, text);
  return text;
}

std::string host_name() {
  // One more than the kernel's limit, so that the name always ends in a zero.
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return {};
  return name.data();
}

}  // namespace

HostIdentity host_identity() {
  const std::string boot = boot_id();
  const std::string name = host_name();
  Fingerprint high;
  high.add(boot);
  high.add(name);
  // Starting from what is different for different hosts already, and in the other order.
  Fingerprint low(high.value());
  low.add(name);
  low.add(boot);
  return {high.value(), low.value()};
}

}  // namespace detour
