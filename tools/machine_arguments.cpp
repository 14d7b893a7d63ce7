#include "machine_arguments.hpp"

#include <charconv>
#include <cmath>

#include "exit_status.hpp"
#include "value_text.hpp"

namespace detour::tool {
namespace {

void require_bytes(const MachineArguments& arguments, bool given, std::string_view option) {
  if (!given || arguments.bytes) return;
  throw BadInput(std::string(option) +
                 " needs --bytes: for messages without end only bandwidth counts");
}

void check_use(const MachineArguments& arguments) {
  require_bytes(arguments, arguments.latency_us.has_value(), "--latency-us");
  require_bytes(arguments, arguments.overhead_us.has_value(), "--overhead-us");
  require_bytes(arguments, arguments.chunk_bytes.has_value(), "--chunk-bytes");
  if (!arguments.injection) {
    require_bytes(arguments, arguments.bandwidth.has_value(), "--bandwidth without --injection");
  }
}

enum class Zero { allowed, forbidden };

double parse_figure(std::string_view option, std::string_view text, Zero zero) {
  double figure = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), text_end, figure);
  const bool in_range = figure > 0 || (zero == Zero::allowed && figure == 0);
  if (!text.empty() && error == std::errc() && end == text_end && std::isfinite(figure) &&
      in_range) {
    return figure;
  }
  throw BadInput(std::string(option) + " has to be a finite number, " +
                 (zero == Zero::allowed ? "zero or more" : "more than zero") + ", not '" +
                 std::string(text) + "'");
}

std::int32_t parse_tree_count(std::string_view text) {
  std::int32_t count = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), text_end, count);
  if (error == std::errc::result_out_of_range && end == text_end && text.front() != '-') {
    throw BadInput("--trees '" + std::string(text) + "' is too large");
  }
  if (error != std::errc() || end != text_end || count < 1) {
    throw BadInput("--trees has to be a whole number, 1 or more, not '" + std::string(text) + "'");
  }
  return count;
}

void read_figure(const std::optional<std::string>& text, std::string_view option, Zero zero,
                 double& figure) {
  if (text) figure = parse_figure(option, *text, zero);
}

}  // namespace

std::uint64_t parse_bytes(std::string_view option, std::string_view text) {
  const auto bytes = parse_size(text);
  if (!bytes.ok()) throw BadInput(std::string(option) + " " + bytes.reason());
  return bytes.value();
}

Request make_request(const MachineArguments& arguments) {
  Request request;
  Machine& machine = request.machine;
  if (arguments.bytes) request.bytes = parse_bytes("--bytes", *arguments.bytes);
  if (arguments.chunk_bytes) {
    machine.chunk_bytes = parse_bytes("--chunk-bytes", *arguments.chunk_bytes);
  }
  read_figure(arguments.latency_us, "--latency-us", Zero::allowed, machine.hop_latency_us);
  read_figure(arguments.overhead_us, "--overhead-us", Zero::allowed, machine.message_overhead_us);
  read_figure(arguments.bandwidth, "--bandwidth", Zero::forbidden, machine.link_bytes_per_us);
  if (arguments.injection) {
    machine.injection_bytes_per_us =
        parse_figure("--injection", *arguments.injection, Zero::forbidden);
  }
  if (arguments.tree_count_max)
    request.tree_count_max = parse_tree_count(*arguments.tree_count_max);
  // What is wrong with a figure itself is said before what it lacks.
  check_use(arguments);
  return request;
}

}  // namespace detour::tool
