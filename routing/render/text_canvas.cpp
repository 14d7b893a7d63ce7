#include "text_canvas.hpp"

#include <cassert>

namespace detour::render {
namespace {

// Select Graphic Rendition codes that are readable on dark and on light terminals.
std::string_view escape_of(Ink ink) {
  switch (ink) {
    case Ink::plain:
      return "\033[0m";
    case Ink::label:
      return "\033[0;2m";
    case Ink::light:
      return "\033[0;36m";
    case Ink::medium:
      return "\033[0;33m";
    case Ink::heavy:
      return "\033[0;31m";
    case Ink::root:
      return "\033[0;1m";
    case Ink::hole:
      return "\033[0;2;31m";
  }
  return "";
}

}  // namespace

TextCanvas::TextCanvas(std::int32_t width, std::int32_t height)
    : width_(width),
      height_(height),
      spots_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

void TextCanvas::put(std::int32_t x, std::int32_t y, std::string_view glyph, Ink ink) {
  assert(x >= 0 && x < width_ && y >= 0 && y < height_);
  spots_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
         static_cast<std::size_t>(x)] = {std::string(glyph), ink};
}

void TextCanvas::write(std::int32_t x, std::int32_t y, std::string_view ascii, Ink ink) {
  for (const char& letter : ascii) put(x++, y, {&letter, 1}, ink);
}

void TextCanvas::paste(std::int32_t x, std::int32_t y, const TextCanvas& other) {
  for (std::int32_t row = 0; row < other.height_; ++row) {
    for (std::int32_t col = 0; col < other.width_; ++col) {
      const Spot& spot = other.at(col, row);
      put(x + col, y + row, spot.glyph, spot.ink);
    }
  }
}

std::string TextCanvas::str(bool colour) const {
  std::string text;
  for (std::int32_t y = 0; y < height_; ++y) append_line(text, y, colour);
  return text;
}

void TextCanvas::append_line(std::string& text, std::int32_t y, bool colour) const {
  std::int32_t end = width_;
  while (end > 0 && at(end - 1, y).glyph == " ") --end;
  Ink current = Ink::plain;
  for (std::int32_t x = 0; x < end; ++x) {
    const Spot& spot = at(x, y);
    if (colour && spot.glyph != " " && spot.ink != current) {
      text += escape_of(spot.ink);
      current = spot.ink;
    }
    text += spot.glyph;
  }
  if (current != Ink::plain) text += escape_of(Ink::plain);
  text += '\n';
}

}  // namespace detour::render
