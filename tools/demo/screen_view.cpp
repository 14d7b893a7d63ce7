#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "demo/view.hpp"

namespace detour::demo {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds frame_time{100};

// A screen of its own beside that of the shell, without a cursor.
constexpr const char* enter_screen = "\033[?1049h\033[?25l\033[2J";
constexpr const char* leave_screen = "\033[?25h\033[?1049l";
constexpr const char* to_top = "\033[H";
constexpr const char* clear_rest_of_line = "\033[K";
constexpr const char* clear_below = "\033[J";

class ScreenView : public View {
 public:
  ScreenView(const MeshPicture& picture, TextStyle style) : picture_(picture), style_(style) {
    std::cout << enter_screen << std::flush;
  }

  ~ScreenView() override { leave(); }

  void show(const Progress& progress) override {
    const auto now = Clock::now();
    if (now - last_frame_ < frame_time) return;
    last_frame_ = now;
    // Users may change it at any time.
    const ScreenSize size = screen_size().value_or(screen_size_min);
    std::string text = to_top;
    // The last line of a screen must not be ended: everything would move up.
    for (const std::string& line : draw_frame(progress, picture_, size, style_)) {
      if (text != to_top) text += "\r\n";
      text += line + clear_rest_of_line;
    }
    std::cout << text << clear_below << std::flush;
  }

  void finish(const Progress& progress) override {
    leave();
    const ScreenSize size = screen_size().value_or(screen_size_min);
    for (const std::string& line : draw_frame(progress, picture_, size, style_)) {
      std::cout << line << "\n";
    }
    std::cout << std::flush;
  }

 private:
  void leave() {
    if (!has_left_) std::cout << leave_screen << std::flush;
    has_left_ = true;
  }

  const MeshPicture& picture_;
  TextStyle style_;
  Clock::time_point last_frame_{};
  bool has_left_ = false;
};

}  // namespace

std::optional<ScreenSize> screen_size() {
  const char* const terminal = std::getenv("TERM");
  if (terminal == nullptr || std::string_view(terminal) == "dumb") return std::nullopt;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return std::nullopt;
  return ScreenSize{size.ws_row, size.ws_col};
}

std::unique_ptr<View> make_screen_view(const MeshPicture& picture, TextStyle style) {
  return std::make_unique<ScreenView>(picture, style);
}

}  // namespace detour::demo
