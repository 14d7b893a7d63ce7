#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "demo/view.hpp"
#include "demo/words.hpp"

namespace detour::demo {
namespace {

constexpr int line_count = 15;

class PlainView : public View {
 public:
  PlainView(const MeshPicture& picture, TextStyle style) : picture_(picture), style_(style) {}

  void show(const Progress& progress) override {
    if (!has_begun_) begin(progress);
    const int stride = std::max(progress.step_count() / line_count, 1);
    while (told_step_ + stride <= progress.last_step()) tell_step(progress, told_step_ + stride);
    // Told once it is known when the others went on, which the screen shows as it comes.
    while (told_death_count_ < progress.deaths().size() &&
           progress.deaths()[told_death_count_].silence_seconds) {
      tell_death(progress, ++told_death_count_);
    }
    std::cout << std::flush;
  }

  void finish(const Progress& progress) override {
    show(progress);
    // After which nobody went on.
    while (told_death_count_ < progress.deaths().size()) {
      std::cout << death_line(progress.deaths()[told_death_count_++], picture_) << "\n";
    }
    if (told_step_ < progress.last_step()) tell_step(progress, progress.last_step());
    std::cout << std::flush;
  }

 private:
  void begin(const Progress& progress) {
    has_begun_ = true;
    std::cout << title(progress, picture_) << "\n\n";
    draw({});
  }

  void tell_step(const Progress& progress, int step) {
    const StepRecord& record = progress.steps()[static_cast<std::size_t>(step) - 1];
    std::cout << fmt::format("{:5.1f} s  step {:3}  loss {:.4f}  {:5.1f} % right  {} ranks  {}\n",
                             record.seconds, step, record.facts.loss, record.facts.right_percent,
                             record.facts.rank_count,
                             rate_text(progress.bytes_per_second(std::max(told_step_, 1), step)));
    told_step_ = step;
  }

  void tell_death(const Progress& progress, std::size_t number) {
    std::cout << death_line(progress.deaths()[number - 1], picture_) << "\n\n";
    auto dead = progress.dead_ranks();
    dead.resize(number);
    draw(dead);
  }

  void draw(const std::vector<int>& dead_ranks) {
    for (const std::string& line : picture_.draw(dead_ranks, style_)) std::cout << line << "\n";
    std::cout << "\n";
  }

  const MeshPicture& picture_;
  TextStyle style_;
  bool has_begun_ = false;
  int told_step_ = 0;
  std::size_t told_death_count_ = 0;
};

}  // namespace

std::unique_ptr<View> make_plain_view(const MeshPicture& picture, TextStyle style) {
  return std::make_unique<PlainView>(picture, style);
}

}  // namespace detour::demo
