#include "text_grid.hpp"

#include <string>

namespace detour::render {
namespace {

std::int32_t digit_count(std::int32_t number) {
  return static_cast<std::int32_t>(std::to_string(number).size());
}

// Every how many cells a number finds room: 1, 2, 5, 10, 20, ...
std::int32_t label_step(std::int32_t pitch, std::int32_t room) {
  std::int32_t step = 1;
  for (std::int32_t factor = 0; step * pitch < room; ++factor) {
    step = factor % 3 == 1 ? step / 2 * 5 : step * 2;
  }
  return step;
}

}  // namespace

std::int32_t TextGrid::label_width() const {
  return digit_count(rows - 1) + 1;
}

TextCanvas TextGrid::canvas() const {
  TextCanvas canvas(width(), height());
  const std::int32_t col_step = label_step(pitch_x, digit_count(cols - 1) + 1);
  for (std::int32_t col = 0; col < shown_cols(); col += col_step) {
    const std::string label = std::to_string(col * zoom);
    canvas.write(x(col) + 1 - static_cast<std::int32_t>(label.size()), 0, label, Ink::label);
  }
  const std::int32_t row_step = pitch_y > 1 ? 1 : 5;
  for (std::int32_t row = 0; row < shown_rows(); row += row_step) {
    const std::string label = std::to_string(row * zoom);
    canvas.write(label_width() - 1 - static_cast<std::int32_t>(label.size()), y(row), label,
                 Ink::label);
  }
  return canvas;
}

}  // namespace detour::render
