#include "log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <memory>
#include <string>

namespace detour {
namespace {

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::off:
      return spdlog::level::off;
    case LogLevel::error:
      return spdlog::level::err;
    case LogLevel::warn:
      return spdlog::level::warn;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::debug:
      return spdlog::level::debug;
  }
  return spdlog::level::off;
}

// A logger of our own instead of spdlog's registry, which belongs to the program we are loaded into.
spdlog::logger* make_logger() {
  // Writes each line in one piece, under a lock.
  auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  auto logger = std::make_unique<spdlog::logger>("detour", std::move(sink));
  logger->set_level(spdlog_level(Settings().log));
  logger->set_pattern("[detour] %v");
  return logger.release();
}

// Never destroyed: threads and destructors of others may still log when the program ends.
spdlog::logger& logger() {
  static spdlog::logger* const instance = make_logger();
  return *instance;
}

}  // namespace

void set_log_level(LogLevel level) {
  logger().set_level(spdlog_level(level));
}

void set_log_rank(int rank) {
  logger().set_pattern("[detour] rank " + std::to_string(rank) + ": %v");
}

bool log_is_on(LogLevel level) {
  return level != LogLevel::off && logger().should_log(spdlog_level(level));
}

void log(LogLevel level, std::string_view text) {
  if (!log_is_on(level)) return;
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  logger().log(spdlog_level(level), spdlog::string_view_t(line.data(), line.size()));
}

void log_formatted(LogLevel level, fmt::string_view format, fmt::format_args arguments) {
  log(level, std::string_view(fmt::vformat(format, arguments)));
}

}  // namespace detour
