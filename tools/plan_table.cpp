#include "plan_table.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "detour/routing/registry.hpp"
#include "format.hpp"

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
    row.problem = (outcome.refused() ? "refused: " : "failed: ") + one_line(outcome.reason());
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

class TableText {
 public:
  TableText(const std::vector<Row>& rows, const Request& request, const Limit& limit)
      : request_(request), limit_(limit) {
    for (const Row& row : rows) name_width_ = std::max(name_width_, row.policy.size());
    if (request.bytes) message_header_ = "for " + size(*request.bytes);
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
    text_ += right_aligned("time M/B", time_width) + right_aligned("of limit", limit_width());
    if (request_.bytes) text_ += right_aligned(message_header_, message_width());
    text_ += right_aligned("depth", 8) + right_aligned("flows", 8) +
             right_aligned("planned in", 13) + "\n";
  }

  void add(const Row& row) {
    add_name(row.policy);
    if (!row.problem.empty()) {
      text_ += row.problem + "\n";
      return;
    }
    text_ += right_aligned(figure(row.time, 4), time_width);
    text_ += right_aligned(percentage_of_limit(limit_, row.time).value_or("-"), limit_width());
    if (request_.bytes) text_ += right_aligned(duration(row.message_us), message_width());
    text_ += right_aligned(std::to_string(row.depth), 8) +
             right_aligned(std::to_string(row.flow_count), 8);
    text_ += right_aligned(duration(row.planning_us), 13);
    text_ += row.chosen.empty() ? "\n" : "  (" + row.chosen + ")\n";
  }

  // "at least 98.9 %" takes more room.
  std::size_t limit_width() const { return limit_.exact ? 11 : 17; }
  std::size_t message_width() const {
    return std::max<std::size_t>(message_header_.size() + 2, 16);
  }

  static constexpr std::size_t time_width = 9;
  const Request& request_;
  const Limit& limit_;
  std::string message_header_;
  std::size_t name_width_ = std::string_view("policy").size();
  std::string text_;
};

}  // namespace

PolicyTable compare_policies(const Topology& topology, const Request& request, const Limit& limit) {
  std::vector<Row> rows;
  for (const Policy* policy : PolicyRegistry::instance().all()) {
    rows.push_back(measure(*policy, topology, request));
  }
  std::stable_sort(rows.begin(), rows.end(), better);
  PolicyTable table;
  table.all_refused = rows.empty() || !rows.front().problem.empty();
  table.text = TableText(rows, request, limit).take();
  return table;
}

}  // namespace detour::tool
