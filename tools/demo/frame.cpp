#include "demo/frame.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "demo/sparkline.hpp"
#include "demo/words.hpp"

namespace detour::demo {
namespace {

constexpr int label_width = 22;
constexpr int chart_width_max = 100;

constexpr const char* bold = "\033[1m";
constexpr const char* dim = "\033[2m";
constexpr const char* red = "\033[31m";
constexpr const char* green = "\033[32m";
constexpr const char* plain = "\033[0m";

// Charts have the steps of the whole run from left to right, so all that stands below each other is
// of one time.
class FramePainter {
 public:
  FramePainter(const Progress& progress, ScreenSize size, TextStyle style)
      : progress_(progress),
        size_(size),
        style_(style),
        chart_width_(std::clamp(size.cols - label_width - 1, 1, chart_width_max)) {}

  void add(const std::string& line) { lines_.push_back(line); }

  // Of ASCII, so that it can be cut.
  void add(const char* ink, const std::string& line) {
    lines_.push_back(painted(ink, line.substr(0, static_cast<std::size_t>(size_.cols))));
  }

  int room() const { return std::max(size_.rows - static_cast<int>(lines_.size()), 0); }

  void add_chart(const std::string& name, const std::string& value, const std::string& chart,
                 const char* ink) {
    lines_.push_back(painted(dim, fmt::format("{:8}", name)) +
                     painted(bold, fmt::format("{:14}", value)) + painted(ink, chart));
  }

  std::string loss_chart() const {
    return chart([&](int begin, int end) {
      double sum = 0;
      for (int step = begin + 1; step <= end; ++step) sum += record(step).facts.loss;
      return sum / (end - begin);
    });
  }

  std::string rate_chart() const {
    return chart(
        [&](int begin, int end) { return progress_.bytes_per_second(std::max(begin, 1), end); });
  }

  // Where in the charts ranks died.
  std::string death_marks() const {
    std::string spots(static_cast<std::size_t>(chart_width_), ' ');
    for (const Death& death : progress_.deaths()) {
      const int column = (std::max(death.step, 1) - 1) * chart_width_ / progress_.step_count();
      spots[static_cast<std::size_t>(column)] = 'x';
    }
    spots.erase(spots.find_last_not_of(' ') + 1);
    std::string marks;
    for (const char spot : spots)
      marks += spot == 'x' && style_.unicode ? "×" : std::string(1, spot);
    return marks;
  }

  std::vector<std::string> take() {
    if (lines_.size() > static_cast<std::size_t>(size_.rows)) {
      lines_.resize(static_cast<std::size_t>(size_.rows));
    }
    return std::move(lines_);
  }

 private:
  std::string painted(const char* ink, const std::string& text) const {
    return style_.colour && !text.empty() ? ink + text + plain : text;
  }

  const StepRecord& record(int step) const {
    return progress_.steps().at(static_cast<std::size_t>(step) - 1);
  }

  // Whole columns only, each for the steps that fall into it: value_of(begin, end) is that of
  // (begin, end].
  template <class ValueOf>
  std::string chart(ValueOf value_of) const {
    std::vector<double> values;
    for (int column = 0; column < chart_width_; ++column) {
      const int begin = column * progress_.step_count() / chart_width_;
      const int end = (column + 1) * progress_.step_count() / chart_width_;
      if (end > progress_.last_step()) break;
      if (end > begin)
        values.push_back(value_of(begin, end));
      else
        values.push_back(values.empty() ? 0 : values.back());
    }
    return sparkline(values, style_.unicode);
  }

  const Progress& progress_;
  ScreenSize size_;
  TextStyle style_;
  int chart_width_;
  std::vector<std::string> lines_;
};

std::string share_text(int part, int whole) {
  return fmt::format("{} of {}", part, whole);
}

void add_figures(FramePainter& painter, const Progress& progress) {
  const bool has_begun = progress.last_step() > 0;
  const Stepped now = has_begun ? progress.steps().back().facts : Stepped{};
  painter.add_chart("step", share_text(progress.last_step(), progress.step_count()),
                    has_begun
                        ? fmt::format("{:.1f} % of the digits are read rightly", now.right_percent)
                        : "the job is starting",
                    dim);
  painter.add_chart("loss", has_begun ? fmt::format("{:.4f}", now.loss) : "", painter.loss_chart(),
                    green);
  painter.add_chart("summed", has_begun ? rate_text(progress.bytes_per_second()) : "",
                    painter.rate_chart(), dim);
  painter.add_chart("alive", share_text(progress.alive_count(), progress.rank_count()),
                    painter.death_marks(), red);
}

// The last ones, if there is no room for all.
void add_deaths(FramePainter& painter, const Progress& progress, const MeshPicture& picture) {
  const auto& deaths = progress.deaths();
  const auto shown_count = std::min(deaths.size(), static_cast<std::size_t>(painter.room()));
  for (auto at = deaths.size() - shown_count; at < deaths.size(); ++at) {
    painter.add(red, death_line(deaths[at], picture));
  }
}

}  // namespace

std::vector<std::string> draw_frame(const Progress& progress, const MeshPicture& picture,
                                    ScreenSize size, TextStyle style) {
  FramePainter painter(progress, size, style);
  painter.add(bold, title(progress, picture));
  painter.add("");
  add_figures(painter, progress);
  painter.add("");
  for (const std::string& line : picture.draw(progress.dead_ranks(), style)) painter.add(line);
  painter.add("");
  add_deaths(painter, progress, picture);
  return painter.take();
}

}  // namespace detour::demo
