// The characters that pictures for a terminal are made of.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace detour::render {

// In which directions a route leaves a cell; the numbers add up to an index into Glyphs::joints.
enum Side : std::uint8_t { side_up = 1, side_left = 2, side_right = 4, side_down = 8 };

struct Glyphs {
  std::string_view cell;
  std::string_view root;
  std::string_view hole;
  std::string_view bridge_end;
  // By load level, 0 (nothing) to 3.
  std::array<std::string_view, 4> horizontal;
  std::array<std::string_view, 4> vertical;
  std::array<std::string_view, 4> shades;
  // A cell on a route, by the sides on which the route leaves it.
  std::array<std::string_view, 16> joints;
};

inline constexpr Glyphs unicode_glyphs{
    .cell = "○",
    .root = "●",
    .hole = "×",
    .bridge_end = "◆",
    .horizontal = {" ", "┄", "─", "━"},
    .vertical = {" ", "┆", "│", "┃"},
    .shades = {"·", "░", "▒", "▓"},
    .joints = {"○", "○", "○", "┘", "○", "└", "─", "┴", "○", "│", "┐", "┤", "┌", "├", "┬", "┼"},
};

inline constexpr Glyphs ascii_glyphs{
    .cell = "o",
    .root = "O",
    .hole = "x",
    .bridge_end = "@",
    .horizontal = {" ", ".", "-", "="},
    .vertical = {" ", ":", "|", "#"},
    .shades = {".", "-", "=", "#"},
    .joints = {"o", "o", "o", "+", "o", "+", "-", "+", "o", "|", "+", "+", "+", "+", "+", "+"},
};

}  // namespace detour::render
