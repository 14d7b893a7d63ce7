// Where the cells of a mesh go on a page of text, with the numbers of rows and columns around them.
#pragma once

#include <cstdint>

#include "detour/routing/mesh.hpp"
#include "text_canvas.hpp"

namespace detour::render {

// One character may stand for a block of `zoom` x `zoom` cells, where the mesh is very wide.
struct TextGrid {
  std::int32_t rows;
  std::int32_t cols;
  std::int32_t pitch_x = 4;
  std::int32_t pitch_y = 2;
  std::int32_t zoom = 1;

  std::int32_t shown_rows() const { return (rows + zoom - 1) / zoom; }
  std::int32_t shown_cols() const { return (cols + zoom - 1) / zoom; }
  std::int32_t label_width() const;
  std::int32_t x(std::int32_t shown_col) const { return label_width() + pitch_x * shown_col; }
  std::int32_t y(std::int32_t shown_row) const { return 1 + pitch_y * shown_row; }
  std::int32_t width() const { return x(shown_cols() - 1) + 1; }
  std::int32_t height() const { return y(shown_rows() - 1) + 1; }

  // A canvas of the right size with the numbers on it.
  TextCanvas canvas() const;
};

}  // namespace detour::render
