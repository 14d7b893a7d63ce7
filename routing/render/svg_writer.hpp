// Puts SVG elements into words: numbers, escaping, and the few shapes that the pictures use.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace detour::render {

struct Point {
  double x = 0;
  double y = 0;
};

// At most two digits after the point, none that are zero.
std::string svg_number(double number);

// Safe between tags and in attributes; characters that XML forbids are left out.
std::string svg_escape(std::string_view text);

// The `d` of a path.
class SvgPath {
 public:
  SvgPath& move_to(Point to);
  SvgPath& line_to(Point to);
  SvgPath& curve_to(Point control, Point to);
  SvgPath& rectangle(Point corner, double width, double height);
  SvgPath& rounded_square(Point corner, double side, double radius);
  // A piece of cake, clockwise; angles in turns, 0 at the top.
  SvgPath& slice(Point centre, double radius, double from_turn, double to_turn);

  const std::string& data() const { return data_; }

 private:
  void add(char command, std::initializer_list<double> numbers);

  std::string data_;
};

struct TextLook {
  double size = 13;
  std::string_view fill = "#52606d";
  std::string_view anchor = "start";
  bool bold = false;
};

class SvgWriter {
 public:
  SvgWriter(double width, double height);

  // `look` is a list of attributes.
  void path(const SvgPath& path, std::string_view look);
  void rectangle(Point corner, double width, double height, double radius, std::string_view look);
  void circle(Point centre, double radius, std::string_view look);
  void text(Point at, std::string_view text, const TextLook& look);
  // Ready-made elements.
  void raw(std::string_view elements);

  // The finished document.
  std::string take();

 private:
  std::string document_;
};

}  // namespace detour::render
