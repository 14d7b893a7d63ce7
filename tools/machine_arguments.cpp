#include "machine_arguments.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "exit_status.hpp"

namespace detour::tool {
namespace {

// How far to shift for a suffix; nothing if there is no such suffix.
std::optional<unsigned> shift_of(std::string_view suffix) {
  if (suffix.empty() || suffix == "B") return 0;
  constexpr std::string_view letters = "KMGT";
  const auto at = letters.find(suffix.front());
  if (at == std::string_view::npos) return std::nullopt;
  const auto unit = suffix.substr(1);
  if (!unit.empty() && unit != "B" && unit != "iB") return std::nullopt;
  return 10 * (static_cast<unsigned>(at) + 1);
}

void require_bytes(const MachineArguments& arguments, bool given, std::string_view option) {
  if (!given || arguments.bytes) return;
  throw BadInput(std::string(option) +
                 " needs --bytes: for messages without end only bandwidth counts");
}

void check_figure(std::optional<double> figure, std::string_view option, bool may_be_zero) {
  if (!figure) return;
  if (std::isfinite(*figure) && (*figure > 0 || (may_be_zero && *figure == 0))) return;
  throw BadInput(std::string(option) + " has to be " +
                 (may_be_zero ? "zero or more" : "more than zero"));
}

void check(const MachineArguments& arguments) {
  require_bytes(arguments, arguments.latency_us.has_value(), "--latency-us");
  require_bytes(arguments, arguments.overhead_us.has_value(), "--overhead-us");
  require_bytes(arguments, arguments.chunk_bytes.has_value(), "--chunk-bytes");
  if (!arguments.injection) {
    require_bytes(arguments, arguments.bandwidth.has_value(), "--bandwidth without --injection");
  }
  check_figure(arguments.latency_us, "--latency-us", true);
  check_figure(arguments.overhead_us, "--overhead-us", true);
  check_figure(arguments.bandwidth, "--bandwidth", false);
  check_figure(arguments.injection, "--injection", false);
  if (arguments.tree_count_max && *arguments.tree_count_max < 1) {
    throw BadInput("--trees has to be 1 or more");
  }
}

}  // namespace

std::uint64_t parse_bytes(std::string_view option, std::string_view text) {
  std::uint64_t number = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), text_end, number);
  const auto shift = shift_of({end, static_cast<std::size_t>(text_end - end)});
  if (end == text.data() || !shift) {
    throw BadInput(std::string(option) + " '" + std::string(text) +
                   "' is no size: write a number of bytes, or 64K, 4M, 1G");
  }
  if (error != std::errc() || number > (std::numeric_limits<std::uint64_t>::max() >> *shift)) {
    throw BadInput(std::string(option) + " '" + std::string(text) + "' is too large");
  }
  if (number == 0) throw BadInput(std::string(option) + " has to be more than zero");
  return number << *shift;
}

Request make_request(const MachineArguments& arguments) {
  check(arguments);
  Request request;
  if (arguments.bytes) request.bytes = parse_bytes("--bytes", *arguments.bytes);
  Machine& machine = request.machine;
  if (arguments.chunk_bytes) {
    machine.chunk_bytes = parse_bytes("--chunk-bytes", *arguments.chunk_bytes);
  }
  machine.hop_latency_us = arguments.latency_us.value_or(machine.hop_latency_us);
  machine.message_overhead_us = arguments.overhead_us.value_or(machine.message_overhead_us);
  machine.link_bytes_per_us = arguments.bandwidth.value_or(machine.link_bytes_per_us);
  machine.injection_bytes_per_us = arguments.injection;
  request.tree_count_max = arguments.tree_count_max;
  return request;
}

}  // namespace detour::tool
