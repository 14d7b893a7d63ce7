#include "plan_table.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "detour/routing/registry.hpp"
#include "format.hpp"
#include "planning.hpp"

namespace detour::tool {
namespace {

using Clock = std::chrono::steady_clock;

struct Row {
  std::string policy;
  std::string problem;  // why there is no plan; empty if there is one
  std::string chosen;   // whose plan it is, if another's
  double time = 0;
  double message_us = 0;
  std::int32_t depth = 0;
  std::size_t flow_count = 0;
  double planning_us = 0;
};

Row measure(const Policy& policy, const Topology& topology, const Request& request) {
  Row row;
  row.policy = policy.name();
  const auto start = Clock::now();
  const auto outcome = policy.plan(topology, request);
  row.planning_us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  if (!outcome.ok()) {
    row.problem = (outcome.refused() ? "refused: " : "failed: ") + outcome.reason();
    return row;
  }
  const Plan& plan = outcome.value();
  const Shape figures = shape(topology, plan);
  Request large = request;
  large.bytes.reset();
  if (plan.policy != row.policy) row.chosen = plan.policy;
  row.time = predicted_time(figures, large);
  if (request.bytes) row.message_us = predicted_us(figures, request);
  row.depth = figures.depth;
  row.flow_count = flow_count(plan);
  return row;
}

bool better(const Row& a, const Row& b) {
  if (a.problem.empty() != b.problem.empty()) return a.problem.empty();
  if (a.message_us != b.message_us) return a.message_us < b.message_us;
  return a.time < b.time;
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

class TableText {
 public:
  TableText(const std::vector<Row>& rows, const Request& request, const Bound& bound)
      : request_(request), bound_(bound) {
    for (const Row& row : rows) name_width_ = std::max(name_width_, row.policy.size());
    add_header();
    for (const Row& row : rows) add(row);
  }

  std::string take() { return std::move(text_); }

 private:
  void add_name(std::string name) {
    name.resize(name_width_ + 2, ' ');
    text_ += name;
  }

  void add_header() {
    add_name("policy");
    text_ += padded("time M/B", 8) + padded("of limit", 11);
    if (request_.bytes) text_ += padded("for " + size(*request_.bytes), message_width);
    text_ += padded("depth", 8) + padded("flows", 8) + padded("planned in", 13) + "\n";
  }

  void add(const Row& row) {
    add_name(row.policy);
    if (!row.problem.empty()) {
      text_ += row.problem + "\n";
      return;
    }
    const auto percentage = percentage_of_limit(bound_, row.time);
    text_ += padded(fixed(row.time, 4), 8);
    text_ += padded(percentage ? fixed(*percentage, 1) + " %" : "-", 11);
    if (request_.bytes) text_ += padded(duration(row.message_us), message_width);
    text_ += padded(std::to_string(row.depth), 8) + padded(std::to_string(row.flow_count), 8);
    text_ += padded(duration(row.planning_us), 13);
    text_ += row.chosen.empty() ? "\n" : "  (" + row.chosen + ")\n";
  }

  static constexpr std::size_t message_width = 16;
  const Request& request_;
  const Bound& bound_;
  std::size_t name_width_ = std::string_view("policy").size();
  std::string text_;
};

}  // namespace

PolicyTable compare_policies(const Topology& topology, const Request& request, const Bound& bound) {
  std::vector<Row> rows;
  for (const Policy* policy : PolicyRegistry::instance().all()) {
    rows.push_back(measure(*policy, topology, request));
  }
  std::stable_sort(rows.begin(), rows.end(), better);
  PolicyTable table;
  table.all_refused = rows.empty() || !rows.front().problem.empty();
  table.text = TableText(rows, request, bound).take();
  return table;
}

}  // namespace detour::tool
