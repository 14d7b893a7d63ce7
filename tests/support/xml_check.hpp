// Whether a document is well-formed as far as tags, attributes and entities go.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace detour::test {

namespace xml_detail {

inline bool is_known_entity(std::string_view text) {
  for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;"}) {
    if (text.starts_with(entity)) return true;
  }
  return false;
}

inline std::optional<std::string> find_bare_ampersand(std::string_view text) {
  for (auto at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
    if (!is_known_entity(text.substr(at))) return "a bare & in: " + std::string(text);
  }
  return std::nullopt;
}

}  // namespace xml_detail

// Nothing if all is well, otherwise what is wrong.
inline std::optional<std::string> find_xml_defect(std::string_view document) {
  std::vector<std::string> open;
  std::size_t element_count = 0;
  if (!document.starts_with("<?xml ")) return "no XML declaration";
  document.remove_prefix(document.find("?>") + 2);
  while (true) {
    const auto start = document.find('<');
    const auto text = document.substr(0, start);
    if (text.find('>') != std::string_view::npos) return "a bare >";
    if (auto defect = xml_detail::find_bare_ampersand(text)) return defect;
    if (start == std::string_view::npos) break;
    const auto end = document.find('>', start);
    if (end == std::string_view::npos) return "a tag that does not end";
    std::string_view tag = document.substr(start + 1, end - start - 1);
    document.remove_prefix(end + 1);
    if (auto defect = xml_detail::find_bare_ampersand(tag)) return defect;
    if (tag.find('<') != std::string_view::npos) return "a tag in a tag: " + std::string(tag);
    std::size_t quote_count = 0;
    for (const char letter : tag) quote_count += letter == '"' ? 1 : 0;
    if (quote_count % 2 != 0) return "an attribute that does not end: " + std::string(tag);
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "ends: " + std::string(tag);
      open.pop_back();
      continue;
    }
    if (open.empty() && element_count > 0) return "a second root element";
    ++element_count;
    if (!tag.ends_with('/')) open.emplace_back(tag.substr(0, tag.find(' ')));
  }
  if (!open.empty()) return "never ends: " + open.back();
  if (element_count == 0) return "no element";
  return std::nullopt;
}

}  // namespace detour::test
