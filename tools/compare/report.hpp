// What is left of a run for people to read: tables, plots, the machine.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "alternation/machine.hpp"
#include "compare/comparison.hpp"
#include "compare/gate.hpp"

namespace detour::tool {

struct Report {
  std::vector<Fact> facts = {};  // of the machine and of the run
  std::vector<Comparison> comparisons = {};
  std::vector<std::string> notes = {};
};

// Other libraries' figures, which stand beside those of the same ranks and place where there are any.
void add(Report& report, const Comparison& comparison);

// Whether anything was measured in place, or out of place.
bool has_place(const Report& report, bool in_place);

// A Markdown document that shows the plots by their names, and all figures.
std::string to_markdown(const Report& report);
std::string to_json(const Report& report);

// Names of files next to the document.
std::string times_plot_name(const Comparison& comparison);
std::string ratios_plot_name(bool in_place);

// All of it. Throws BadInput.
void write_report(const Report& report, const std::string& folder);

}  // namespace detour::tool
