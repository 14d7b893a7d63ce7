#include <algorithm>
#include <string_view>

#include "compare/gate.hpp"
#include "format.hpp"

namespace detour::tool {
namespace {

// The checks of one row of the first table.
struct Group {
  const Check* mean = nullptr;
  std::vector<const Check*> sizes = {};
};

using Row = std::vector<std::string>;

// As wide as they have to be.
std::string columns(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].size());
    }
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      line += left_aligned(row[column], widths[column] + 2);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string bounded(const Ratio& ratio) {
  return fixed(ratio.ratio, 2) + " (" + fixed(ratio.low, 2) + ".." + fixed(ratio.high, 2) + ")";
}

// How far the lower bound is from what is asked; one is just there.
double margin(const Check& check) {
  return check.found.low / check.target;
}

Row group_row(const Group& group) {
  const Check& mean = *group.mean;
  const Check& worst = **std::ranges::min_element(
      group.sizes, {}, [](const Check* check) { return margin(*check); });
  const auto held = std::ranges::count_if(group.sizes, &Check::holds);
  const bool all = held == std::ssize(group.sizes) && mean.holds();
  return {std::to_string(mean.rank_count),
          buffers_words(mean.buffers),
          place_words(mean.in_place),
          std::to_string(held) + "/" + std::to_string(group.sizes.size()),
          bounded(worst.found) + " of " + fixed(worst.target, 2) + " at " + size(worst.bytes),
          bounded(mean.found) + " of " + fixed(mean.target, 2),
          all ? "holds" : "misses"};
}

std::vector<Group> groups_of(std::span<const Check> checks) {
  std::vector<Group> groups;
  Group open;
  for (const Check& check : checks) {
    if (check.kind == CheckKind::size) open.sizes.push_back(&check);
    if (check.kind != CheckKind::mean) continue;
    open.mean = &check;
    groups.push_back(std::move(open));
    open = {};
  }
  return groups;
}

std::string subject(const Check& check) {
  std::string text = count(check.rank_count, "rank") + ", " + buffers_words(check.buffers) +
                     " buffers, " + place_words(check.in_place);
  if (check.kind != CheckKind::mean) text += ", " + size(check.bytes);
  return text;
}

std::string reaching_words(const Check& check) {
  if (!check.reachable->is_of_exchange) return "the limit itself";
  return check.buffers == Buffers::any ? "a bare exchange" : "a bare mapped sum";
}

// Of a miss: whether anybody could have done better.
std::string reach_of(const Check& check) {
  if (check.holds() || !check.reachable) return "";
  const bool is_from_above = check.kind == CheckKind::limit || check.kind == CheckKind::scaling;
  const double figure = is_from_above ? 1 / check.reachable->figure : check.reachable->figure;
  return "; " + reaching_words(check) + " is at " + fixed(figure, 2) +
         (check.is_out_of_reach() ? " and misses it, too" : "");
}

// Targets of the further kinds are limits from above, which is how they are put here.
std::string limit_line(const Check& check) {
  const std::string what = check.kind == CheckKind::limit
                               ? " times memory's time, at most "
                               : " times 2 ranks' time per rank, at most ";
  return "  " + left_aligned(check.holds() ? "holds" : "misses", 8) + subject(check) + ": " +
         fixed(1 / check.found.ratio, 2) + " (" + fixed(1 / check.found.high, 2) + ".." +
         fixed(1 / check.found.low, 2) + ")" + what + fixed(1 / check.target, 2) + reach_of(check) +
         "\n";
}

std::string limit_lines(std::span<const Check> checks, CheckKind kind, const char* title) {
  std::string lines;
  for (const Check& check : checks) {
    if (check.kind == kind) lines += limit_line(check);
  }
  return lines.empty() ? lines : std::string("\n") + title + "\n" + lines;
}

std::string misses(std::span<const Check> checks) {
  std::string lines;
  for (const Check& check : checks) {
    if (check.holds() || check.kind == CheckKind::limit || check.kind == CheckKind::scaling)
      continue;
    lines += "  " + subject(check) + (check.kind == CheckKind::mean ? ", geometric mean" : "") +
             ": " + bounded(check.found) + " of " + fixed(check.target, 2) + reach_of(check) + "\n";
  }
  return lines.empty() ? lines : "\nMisses among the ratios to the best peer\n" + lines;
}

}  // namespace

std::string gate_text(std::span<const Check> checks) {
  if (checks.empty()) return "Nothing was measured that any target is about.\n";
  std::vector<Row> rows{
      {"ranks", "buffers", "place", "sizes", "the size nearest to a miss", "geometric mean", ""}};
  for (const Group& group : groups_of(checks)) rows.push_back(group_row(group));
  std::string text =
      "The best peer's time over Detour's (95 % interval), and what it has to be\n" + columns(rows);
  text += limit_lines(checks, CheckKind::limit, "Memory itself");
  text += limit_lines(checks, CheckKind::scaling, "More ranks");
  text += misses(checks);
  const auto held = std::ranges::count_if(checks, &Check::holds);
  text += "\n" + std::to_string(held) + " of " + count(std::ssize(checks), "target") +
          (held == 1 ? " holds.\n" : " hold.\n");
  const auto out_of_reach = std::ranges::count_if(checks, &Check::is_out_of_reach);
  if (out_of_reach == 0) return text;
  return text + "Of the others " + std::to_string(out_of_reach) +
         " are missed on this machine by the limit, a bare exchange or a bare mapped sum as "
         "well.\n";
}

}  // namespace detour::tool
