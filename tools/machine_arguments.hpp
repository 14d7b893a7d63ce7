// The options that describe a machine and a message, and the request they make.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "detour/routing/request.hpp"

namespace detour::tool {

struct MachineArguments {
  std::optional<std::string> bytes;
  std::optional<std::string> chunk_bytes;
  std::optional<double> latency_us;
  std::optional<double> overhead_us;
  std::optional<double> bandwidth;  // MB/s, per link and direction
  std::optional<double> injection;  // MB/s, into and out of a cell
  std::optional<std::int32_t> tree_count_max;
};

// "4096", "64K", "4M", "1G": binary multiples. Throws BadInput; `option` is named in the message.
std::uint64_t parse_bytes(std::string_view option, std::string_view text);

// Throws BadInput for figures that make no sense, and for those that would change nothing.
Request make_request(const MachineArguments& arguments);

}  // namespace detour::tool
