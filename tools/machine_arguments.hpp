// The options that describe a machine and a message, and the request they make.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "detour/routing/request.hpp"

namespace detour::tool {

// As typed.
struct MachineArguments {
  std::optional<std::string> bytes = {};
  std::optional<std::string> chunk_bytes = {};
  std::optional<std::string> latency_us = {};
  std::optional<std::string> overhead_us = {};
  std::optional<std::string> bandwidth = {};  // MB/s, per link and direction
  std::optional<std::string> injection = {};  // MB/s, into and out of a cell
  std::optional<std::string> tree_count_max = {};
};

// "4096", "64K" or "64k", "4M", "1G": binary multiples. Throws BadInput; `option` is named in the message.
std::uint64_t parse_bytes(std::string_view option, std::string_view text);

// Throws BadInput for figures that make no sense, and for those that would change nothing.
Request make_request(const MachineArguments& arguments);

}  // namespace detour::tool
