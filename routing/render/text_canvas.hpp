// A rectangle of characters to draw on, for a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace detour::render {

// What a character stands for; it decides the colour, where colours are wanted.
enum class Ink : std::uint8_t { plain, label, light, medium, heavy, root, hole };

class TextCanvas {
 public:
  TextCanvas(std::int32_t width, std::int32_t height);

  std::int32_t width() const { return width_; }
  std::int32_t height() const { return height_; }

  // One character, which in UTF-8 may be several bytes.
  void put(std::int32_t x, std::int32_t y, std::string_view glyph, Ink ink);
  // One character per byte.
  void write(std::int32_t x, std::int32_t y, std::string_view ascii, Ink ink);
  void paste(std::int32_t x, std::int32_t y, const TextCanvas& other);

  // Lines without trailing blanks, each ended by a newline.
  std::string str(bool colour) const;

 private:
  struct Spot {
    std::string glyph = " ";
    Ink ink = Ink::plain;
  };
  const Spot& at(std::int32_t x, std::int32_t y) const {
    return spots_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                  static_cast<std::size_t>(x)];
  }
  void append_line(std::string& text, std::int32_t y, bool colour) const;

  std::int32_t width_;
  std::int32_t height_;
  std::vector<Spot> spots_;
};

}  // namespace detour::render
