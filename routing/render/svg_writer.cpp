#include "svg_writer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

namespace detour::render {

std::string svg_number(double number) {
  char buffer[64];
  const auto result =
      std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::fixed, 2);
  std::string_view text(buffer, static_cast<std::size_t>(result.ptr - buffer));
  while (text.ends_with('0')) text.remove_suffix(1);
  if (text.ends_with('.')) text.remove_suffix(1);
  return text == "-0" ? "0" : std::string(text);
}

std::string svg_escape(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(letter) >= ' ' || letter == '\t') escaped += letter;
    }
  }
  return escaped;
}

void SvgPath::add(char command, std::initializer_list<double> numbers) {
  data_ += command;
  bool first = true;
  for (const double number : numbers) {
    const std::string text = svg_number(number);
    // A minus sign separates as well as a blank does.
    if (!first && text.front() != '-') data_ += ' ';
    data_ += text;
    first = false;
  }
}

SvgPath& SvgPath::move_to(Point to) {
  add('M', {to.x, to.y});
  return *this;
}

SvgPath& SvgPath::line_to(Point to) {
  add('L', {to.x, to.y});
  return *this;
}

SvgPath& SvgPath::curve_to(Point control, Point to) {
  add('Q', {control.x, control.y, to.x, to.y});
  return *this;
}

SvgPath& SvgPath::rectangle(Point corner, double width, double height) {
  add('M', {corner.x, corner.y});
  add('h', {width});
  add('v', {height});
  add('h', {-width});
  data_ += 'z';
  return *this;
}

SvgPath& SvgPath::rounded_square(Point corner, double side, double radius) {
  const double straight = side - 2 * radius;
  add('M', {corner.x + radius, corner.y});
  add('h', {straight});
  add('a', {radius, radius, 0, 0, 1, radius, radius});
  add('v', {straight});
  add('a', {radius, radius, 0, 0, 1, -radius, radius});
  add('h', {-straight});
  add('a', {radius, radius, 0, 0, 1, -radius, -radius});
  add('v', {-straight});
  add('a', {radius, radius, 0, 0, 1, radius, -radius});
  data_ += 'z';
  return *this;
}

SvgPath& SvgPath::slice(Point centre, double radius, double from_turn, double to_turn) {
  const auto on_circle = [&](double turn) {
    const double angle = 2 * std::numbers::pi * turn;
    return Point{centre.x + radius * std::sin(angle), centre.y - radius * std::cos(angle)};
  };
  const Point from = on_circle(from_turn);
  const Point to = on_circle(to_turn);
  move_to(centre).line_to(from);
  add('A', {radius, radius, 0, to_turn - from_turn > 0.5 ? 1.0 : 0.0, 1, to.x, to.y});
  data_ += 'z';
  return *this;
}

SvgWriter::SvgWriter(double width, double height) {
  const std::string w = svg_number(width);
  const std::string h = svg_number(height);
  document_ =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "width=\"" +
      w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " + h +
      "\" font-family=\"Inter, 'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', "
      "sans-serif\">\n";
}

void SvgWriter::path(const SvgPath& path, std::string_view look) {
  if (path.data().empty()) return;
  document_ += "<path d=\"" + std::string(path.data()) + "\" " + std::string(look) + "/>\n";
}

void SvgWriter::rectangle(Point corner, double width, double height, double radius,
                          std::string_view look) {
  document_ += "<rect x=\"" + svg_number(corner.x) + "\" y=\"" + svg_number(corner.y) +
               "\" width=\"" + svg_number(width) + "\" height=\"" + svg_number(height) +
               "\" rx=\"" + svg_number(radius) + "\" " + std::string(look) + "/>\n";
}

void SvgWriter::circle(Point centre, double radius, std::string_view look) {
  document_ += "<circle cx=\"" + svg_number(centre.x) + "\" cy=\"" + svg_number(centre.y) +
               "\" r=\"" + svg_number(radius) + "\" " + std::string(look) + "/>\n";
}

void SvgWriter::text(Point at, std::string_view text, const TextLook& look) {
  document_ += "<text x=\"" + svg_number(at.x) + "\" y=\"" + svg_number(at.y) + "\" font-size=\"" +
               svg_number(look.size) + "\" fill=\"" + std::string(look.fill) + "\" text-anchor=\"" +
               std::string(look.anchor) + "\"" + (look.bold ? " font-weight=\"600\"" : "") + ">" +
               svg_escape(text) + "</text>\n";
}

void SvgWriter::raw(std::string_view elements) {
  document_ += elements;
}

std::string SvgWriter::take() {
  document_ += "</svg>\n";
  return std::move(document_);
}

}  // namespace detour::render
