#include "tune/table_text.hpp"

#include <algorithm>
#include <sstream>

#include "format.hpp"
#include "tune/tuned_lines.hpp"

namespace detour::tool {
namespace {

std::string comment(const std::string& words) {
  return "# " + one_line(words) + "\n";
}

// "2, 4 and 8 ranks on one node".
std::string layout_words(std::span<const JobTimes> jobs) {
  std::string text;
  for (std::size_t index = 0; index < jobs.size(); ++index) {
    if (index > 0) text += index + 1 == jobs.size() ? " and " : ", ";
    text += std::to_string(jobs[index].rank_count);
  }
  return text + " ranks on " +
         (jobs.front().nodes == NodeLayout::one ? "one node" : "several nodes");
}

std::string sizes_words(std::span<const JobTimes> jobs) {
  std::vector<std::uint64_t> sizes_bytes;
  for (const JobTimes& job : jobs) {
    for (const SizeTimes& one : job.sizes) sizes_bytes.push_back(one.bytes);
  }
  const auto [least, most] = std::ranges::minmax(sizes_bytes);
  return least == most ? size(least) : size(least) + " to " + size(most);
}

std::string head(std::span<const JobTimes> jobs, const std::vector<Fact>& machine,
                 const std::string& version) {
  std::string text =
      comment("A selection table that 'detour tune' has measured: name it in DETOUR_TABLE.") +
      comment("Detour " + version + ", allreduce of " + sizes_words(jobs) +
              " (sums of float in memory from malloc, out of place and in place), " +
              layout_words(jobs));
  for (const Fact& fact : machine) text += comment(fact.name + ": " + fact.value);
  for (const JobTimes& job : jobs) {
    for (const std::string& note : job.notes) {
      text += comment(count(job.rank_count, "rank") + ": " + note);
    }
  }
  return text;
}

std::string gain_words(const TunedLine& line) {
  if (line.is_built_in) return "as built in";
  if (!line.gain) return {};
  return fixed(*line.gain, 2) + " times as fast as built in";
}

std::vector<std::string> rows_of(const std::string& text) {
  std::vector<std::string> rows;
  std::istringstream stream(text);
  for (std::string row; std::getline(stream, row);) rows.push_back(row);
  return rows;
}

}  // namespace

std::string table_text(std::span<const JobTimes> jobs, const std::vector<Fact>& machine,
                       const std::string& version) {
  const std::vector<TunedLine> tuned = tuned_lines(jobs);
  std::vector<SelectionLine> lines;
  for (const TunedLine& one : tuned) lines.push_back(one.line);
  const std::vector<std::string> rows = rows_of(selection_text(lines));
  std::size_t width = 0;
  for (const std::string& row : rows) width = std::max(width, row.size());
  std::string text = head(jobs, machine, version) + rows.front() + "\n";
  for (std::size_t index = 0; index < tuned.size(); ++index) {
    const std::string words = gain_words(tuned[index]);
    const std::string& row = rows[index + 1];
    text += (words.empty() ? row : left_aligned(row, width) + "  # " + words) + "\n";
  }
  return text;
}

}  // namespace detour::tool
