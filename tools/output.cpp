#include "output.hpp"

#include <langinfo.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string_view>

#include "exit_status.hpp"
#include "value_text.hpp"

namespace detour::tool {
namespace {

std::string_view environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

// A locale that is asked for but not installed still tells what the terminal understands.
bool locale_name_says_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const auto value = environment_variable(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != std::string_view::npos ||
           value.find("utf8") != std::string_view::npos;
  }
  return false;
}

bool locale_is_utf8() {
  if (std::setlocale(LC_CTYPE, "") == nullptr) return locale_name_says_utf8();
  return std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0;
}

bool terminal_has_colour() {
  return ::isatty(STDOUT_FILENO) == 1 && environment_variable("NO_COLOR").empty() &&
         environment_variable("TERM") != "dumb";
}

bool reader_is_gone() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace

ColourChoice parse_colour(std::string_view text) {
  if (text == "auto") return ColourChoice::automatic;
  if (text == "always") return ColourChoice::always;
  if (text == "never") return ColourChoice::never;
  throw BadInput("--color is auto, always or never, not '" + std::string(text) + "'");
}

TextStyle text_style(bool ascii_only, ColourChoice colour) {
  return {.unicode = !ascii_only && locale_is_utf8(),
          .colour = colour == ColourChoice::always ||
                    (colour == ColourChoice::automatic && terminal_has_colour())};
}

std::size_t line_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  constexpr std::uint64_t width_max = 10'000;
  const auto columns = parse_count(environment_variable("COLUMNS"), width_max);
  return columns.ok() && columns.value() > 0 ? columns.value() : 80;
}

void check_can_write(const std::string& path) {
  namespace files = std::filesystem;
  std::error_code ignored;
  const bool is_new = !files::exists(files::symlink_status(path, ignored));
  // Pipes, devices and links to nowhere are found out about when they are written.
  if (!is_new && !files::is_regular_file(path, ignored)) return;
  errno = 0;
  const std::ofstream file(path, std::ios::binary | std::ios::app);
  if (!file) throw BadInput("can't write '" + path + "': " + std::strerror(errno));
  if (is_new) files::remove(path, ignored);
}

void write_file(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  if (!file) throw BadInput("can't write '" + path + "': " + std::strerror(errno));
  file << text;
  file.close();
  if (file) return;
  const std::string reason = std::strerror(errno);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::remove(path, ignored);
  throw BadInput("can't write '" + path + "': " + reason);
}

void finish_output() {
  std::cout.flush();
  if (std::cout || reader_is_gone()) return;
  throw BadInput("can't write to standard output");
}

}  // namespace detour::tool
