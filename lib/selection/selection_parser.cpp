#include "selection/selection_parser.hpp"

#include <algorithm>
#include <limits>

#include "selection/selection_words.hpp"
#include "value_text.hpp"
#include "way_words.hpp"

namespace detour {
namespace {

using Problem = std::optional<std::string>;

constexpr std::string_view blanks = " \t\r";

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto start = text.find_first_not_of(separators);
    if (start == std::string_view::npos) return parts;
    text.remove_prefix(start);
    const auto end = std::min(text.find_first_of(separators), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

template <class Words, class Value>
Problem read_word(const Words& words, const char* what, std::string_view text,
                  std::optional<Value>& value) {
  std::vector<std::string_view> names;
  for (const auto& word : words) {
    names.push_back(word.text);
    if (word.text != text) continue;
    value = word.value;
    return std::nullopt;
  }
  return "unknown " + std::string(what) + " '" + std::string(text) + "'; did you mean '" +
         std::string(nearest_name(text, names)) + "'?";
}

Problem read_rank_count(std::string_view text, std::int32_t& count) {
  const auto number =
      parse_count(text, static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()));
  if (!number.ok()) return "ranks " + number.reason();
  count = static_cast<std::int32_t>(number.value());
  return std::nullopt;
}

// From which size on; from 0 on means for all.
Problem read_bytes_min(std::string_view text, std::uint64_t& bytes) {
  if (text == "0") return std::nullopt;
  const auto size = parse_size(text);
  if (!size.ok()) return "bytes " + size.reason();
  bytes = size.value();
  return std::nullopt;
}

Problem read_policies(std::string_view text, std::vector<std::string>& policies) {
  for (const std::string_view name : split(text, ",")) {
    if (auto problem = unknown_policy(name)) return problem;
    if (std::find(policies.begin(), policies.end(), name) != policies.end()) {
      return "the policy '" + std::string(name) + "' is there twice";
    }
    policies.emplace_back(name);
  }
  if (policies.empty()) return "no policy";
  // What comes after it would never be asked.
  const auto tree = std::find(policies.begin(), policies.end(), "tree");
  if (tree != policies.end() && tree + 1 != policies.end()) {
    return "'tree' never refuses: nothing after it is ever asked";
  }
  if (tree == policies.end()) policies.emplace_back("tree");
  return std::nullopt;
}

Problem read_chunk(std::string_view text, std::uint64_t& bytes) {
  const auto chunk = parse_chunk(text);
  if (!chunk.ok()) return "chunk " + chunk.reason();
  bytes = chunk.value();
  return std::nullopt;
}

Problem read_stores(std::string_view text, StoreChoice& stores) {
  for (const auto& word : stores_words) {
    if (word.text != text) continue;
    stores = word.value;
    return std::nullopt;
  }
  return "stores are 'auto', 'cached', 'apart' or 'streamed', not '" + std::string(text) + "'";
}

Problem read_line(const std::vector<std::string_view>& words, SelectionLine& line) {
  if (words.size() != 6 && words.size() != 7) {
    return "has " + std::to_string(words.size()) +
           " words instead of 6 or 7: operation, nodes, ranks, bytes, policies, chunk, stores";
  }
  if (auto problem = read_word(operation_words, "operation", words[0], line.operation)) {
    return problem;
  }
  if (auto problem = read_word(layout_words, "layout of nodes", words[1], line.nodes)) {
    return problem;
  }
  if (auto problem = read_rank_count(words[2], line.rank_count_min)) return problem;
  if (auto problem = read_bytes_min(words[3], line.bytes_min)) return problem;
  if (auto problem = read_policies(words[4], line.policies)) return problem;
  if (auto problem = read_chunk(words[5], line.chunk_bytes)) return problem;
  return words.size() == 7 ? read_stores(words[6], line.stores) : std::nullopt;
}

}  // namespace

Outcome<std::vector<SelectionLine>> parse_selection_lines(std::string_view text,
                                                          std::string_view source) {
  std::vector<SelectionLine> lines;
  for (int number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto words = split(whole.substr(0, whole.find('#')), blanks);
    if (words.empty()) continue;
    SelectionLine line;
    if (const auto problem = read_line(words, line)) {
      return Failure{std::string(source) + ", line " + std::to_string(number) + ": " + *problem};
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace detour
