#include "selection/selection_table.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "detour/routing/nearest_name.hpp"
#include "detour/routing/registry.hpp"
#include "fingerprint.hpp"
#include "selection/selection_parser.hpp"
#include "selection/selection_words.hpp"
#include "value_text.hpp"
#include "way_words.hpp"

namespace detour {
namespace {

// One node: all ranks reach each other directly; from which size on messages are better cut, and how then,
// was measured by `detour tune`, and by benchmarks/compare with one table and another. Many: up to some KiB latency decides, and the
// shallow tree has the least; from there on bandwidth. Allgather and reduce_scatter have a tree for
// each rank's block as it is, which uses all links.
constexpr std::string_view built_in_text = R"(
*               one   0  0     direct,tree  64K
allreduce       one   0  0     direct,tree  whole
allreduce       one   0  12K   direct,tree  whole  apart
allreduce       one   0  96K   direct,tree  256K
allreduce       one   3  0     direct,tree  whole
allreduce       one   3  24K   direct,tree  whole  apart
allreduce       one   3  96K   direct,tree  128K   apart
allreduce       one   3  192K  direct,tree  256K
allreduce       one   6  0     direct,tree  whole
allreduce       one   6  24K   direct,tree  whole  apart
allreduce       one   6  64K   direct,tree  whole
allreduce       one   6  192K  direct,tree  256K
*               many  0  0     tree         64K
allreduce       many  0  16K   auto,tree    64K
reduce          many  0  16K   auto,tree    64K
broadcast       many  0  16K   auto,tree    64K
)";

// Of policies that no line was made for.
constexpr std::uint64_t usual_chunk_bytes = std::uint64_t{64} << 10;

constexpr std::size_t column_count = 7;
using Row = std::array<std::string, column_count>;

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

Row row_of(const SelectionLine& line) {
  return {std::string(word_for(operation_words, line.operation)),
          std::string(word_for(layout_words, line.nodes)),
          std::to_string(line.rank_count_min),
          size_text(line.bytes_min),
          joined(line.policies),
          chunk_text(line.chunk_bytes),
          stores_text(line.stores)};
}

std::string in_columns(const std::vector<Row>& rows) {
  std::array<std::size_t, column_count> widths{};
  for (const Row& row : rows) {
    for (std::size_t at = 0; at < column_count; ++at) {
      widths[at] = std::max(widths[at], row[at].size());
    }
  }
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t at = 0; at + 1 < column_count; ++at) {
      text += row[at] + std::string(widths[at] + 2 - row[at].size(), ' ');
    }
    text += row.back() + "\n";
  }
  return text;
}

Outcome<std::string> read_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 4096> part;
  do {
    file.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
  } while (file);
  // The end of the file is the only good reason to stop.
  if (file.eof() && !file.bad()) return text;
  return Failure{"can't read the selection table '" + path + "': " + std::strerror(errno)};
}

}  // namespace

bool SelectionLine::holds_for(const Situation& situation) const {
  return operation.value_or(situation.operation) == situation.operation &&
         nodes.value_or(situation.nodes) == situation.nodes &&
         rank_count_min <= situation.rank_count && bytes_min <= situation.bytes;
}

SelectionTable SelectionTable::built_in() {
  auto lines = parse_selection_lines(built_in_text, "built-in table");
  if (!lines.ok()) throw std::logic_error(lines.reason());
  return SelectionTable(std::move(lines).value());
}

Outcome<SelectionTable> SelectionTable::load(const Settings& settings) {
  if (!settings.table_path) return built_in();
  const auto text = read_file(*settings.table_path);
  if (!text.ok()) return text.without_value<SelectionTable>();
  return parse(text.value(), *settings.table_path);
}

Outcome<SelectionTable> SelectionTable::parse(std::string_view text, std::string_view source) {
  auto lines = parse_selection_lines(text, source);
  if (!lines.ok()) return lines.without_value<SelectionTable>();
  SelectionTable table = built_in();
  for (SelectionLine& line : std::move(lines).value()) table.lines_.push_back(std::move(line));
  return table;
}

Selection SelectionTable::select(const Situation& situation, const Settings& settings) const {
  const auto line = std::find_if(lines_.rbegin(), lines_.rend(), [&](const SelectionLine& each) {
    return each.holds_for(situation);
  });
  if (line == lines_.rend()) throw std::logic_error("no line of the selection table holds");
  Selection selection{line->policies, line->chunk_bytes, settings.stores.value_or(line->stores)};
  if (settings.policy && *settings.policy != line->policies.front()) {
    selection.chunk_bytes = usual_chunk_bytes;
    std::erase(selection.policies, *settings.policy);
    selection.policies.insert(selection.policies.begin(), *settings.policy);
  }
  if (settings.chunk_bytes) selection.chunk_bytes = *settings.chunk_bytes;
  return selection;
}

std::string SelectionTable::text() const {
  return selection_text(lines_);
}

std::uint64_t SelectionTable::fingerprint() const {
  Fingerprint fingerprint;
  fingerprint.add(text());
  return fingerprint.value();
}

std::string selection_text(const std::vector<SelectionLine>& lines) {
  std::vector<Row> rows{{"# operation", "nodes", "ranks", "bytes", "policies", "chunk", "stores"}};
  for (const SelectionLine& line : lines) rows.push_back(row_of(line));
  return in_columns(rows);
}

std::optional<std::string> unknown_policy(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Policy* policy : PolicyRegistry::instance().all()) {
    if (policy->name() == name) return std::nullopt;
    names.push_back(policy->name());
  }
  return "unknown policy '" + std::string(name) + "'; did you mean '" +
         std::string(nearest_name(name, names)) + "'?";
}

}  // namespace detour
