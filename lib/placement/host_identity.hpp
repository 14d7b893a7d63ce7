// Which processes are on one host, in the sense that they can share memory.
#pragma once

#include <compare>
#include <cstdint>

#include "detour/routing/api.hpp"

namespace detour {

// As good as never the same for two hosts.
struct HostIdentity {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  auto operator<=>(const HostIdentity&) const = default;
};

// Made of the kernel's boot id and the host name. Containers of one machine with a host name each,
// and network namespaces with a UTS namespace of their own, count as hosts of their own: Open MPI
// takes them for that, too. Another PID namespace alone makes no other host, because POSIX shared
// memory still joins it with the rest; whether it does is found out when memory is mapped.
DETOUR_API HostIdentity host_identity();

}  // namespace detour
