#include "bench/recovery/recovery_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "bench/statistics.hpp"
#include "format.hpp"

namespace detour::tool {
namespace {

using Json = nlohmann::ordered_json;

struct Row {
  std::string_view name;
  std::string_view key;
  std::string_view meaning;
  double RecoveryCost::*value;
  double unit;
};

constexpr Row rows[] = {
    {"detection", "detection_ms", "the kill to the first survivor that knows",
     &RecoveryCost::detection_us, 1e3},
    {"agreement", "agreement_ms", "until all know who goes on", &RecoveryCost::agreement_us, 1e3},
    {"replanning", "replanning_ms", "until all have begun again", &RecoveryCost::replanning_us,
     1e3},
    {"redo", "redo_ms", "until all have the result", &RecoveryCost::redo_us, 1e3},
    {"new view", "view_ms", "from the start until it is decided who goes on",
     &RecoveryCost::view_us, 1e3},
    {"known to all", "view_known_ms", "from the start until all know who goes on",
     &RecoveryCost::view_known_us, 1e3},
    {"first result", "first_result_ms", "from the start until the first survivor has it",
     &RecoveryCost::first_result_us, 1e3},
    {"result", "result_ms", "from the start until all have the result", &RecoveryCost::result_us,
     1e3},
    {"result/fault-free", "result_over_fault_free", "times as long as an operation before",
     &RecoveryCost::over_fault_free, 1},
};

struct Group {
  std::vector<KillTimes> kills;
  std::vector<RecoveryCost> costs;
};

Group group_of(const RecoveryReport& report, bool half_computes) {
  Group group;
  for (const KillTimes& kill : report.kills) {
    if (kill.half_computes != half_computes) continue;
    group.kills.push_back(kill);
    group.costs.push_back(cost_of(kill));
  }
  return group;
}

double at(const Group& group, const Row& row, double part) {
  std::vector<double> values;
  for (const RecoveryCost& cost : group.costs) values.push_back(cost.*row.value / row.unit);
  return percentile(std::move(values), part);
}

double median(const Group& group, double RecoveryCost::*value) {
  return at(group, {{}, {}, {}, value, 1}, 0.5);
}

double fault_free_us(const Group& group) {
  std::vector<double> values;
  for (const KillTimes& kill : group.kills) values.push_back(kill.fault_free_us);
  return percentile(std::move(values), 0.5);
}

std::int64_t broken_count(const Group& group) {
  return std::ranges::count_if(group.kills, &KillTimes::broke_attempt);
}

std::string_view verdict(double figure, double allowed) {
  return figure <= allowed ? "reached" : "missed";
}

std::string group_text(const Group& group, std::string_view title) {
  std::string text = "\n# " + std::string(title) + ": " +
                     count(static_cast<std::int64_t>(group.kills.size()), "kill") + ", " +
                     std::to_string(broken_count(group)) +
                     " in the middle of an operation; without, one takes " +
                     fixed(fault_free_us(group) / 1e3, 2) + " ms\n";
  text += left_aligned("", 18) + right_aligned("P50", 11) + right_aligned("P99", 11) +
          right_aligned("Max", 11) + "\n";
  for (const Row& row : rows) {
    text += left_aligned(row.name, 18);
    for (const double part : {0.5, 0.99, 1.0})
      text += right_aligned(fixed(at(group, row, part), 3), 11);
    text += "   " + std::string(row.meaning) + "\n";
  }
  return text;
}

std::string targets_text(const Group& inside) {
  const double view_us = median(inside, &RecoveryCost::view_us);
  const double times = median(inside, &RecoveryCost::over_fault_free);
  return "target: the new view " + fixed(allowed_view_us / 1e3, 0) +
         " ms after the kill, at the median: " + fixed(view_us / 1e3, 3) + " ms, " +
         std::string(verdict(view_us, allowed_view_us)) + "\ntarget: the result " +
         fixed(allowed_result_over_fault_free, 0) +
         " fault-free times after the kill, at the median: " + fixed(times, 2) + ", " +
         std::string(verdict(times, allowed_result_over_fault_free)) + "\n";
}

Json group_json(const Group& group) {
  Json json{{"kills", group.kills.size()},
            {"broken", broken_count(group)},
            {"fault_free_ms", fault_free_us(group) / 1e3}};
  for (const Row& row : rows) {
    json[std::string(row.key)] = {
        {"p50", at(group, row, 0.5)}, {"p99", at(group, row, 0.99)}, {"max", at(group, row, 1)}};
  }
  return json;
}

}  // namespace

std::string recovery_text(const RecoveryReport& report) {
  std::string text = "# Detour " + report.version +
                     " recovery of allreduce: " + count(report.rank_count, "rank") + ", " +
                     size(report.bytes) + (report.in_place ? ", in place" : "");
  if (!report.policy.empty()) text += ", policy " + report.policy;
  text +=
      "\n# times in ms; the start is the kill, or where half compute when the last of them is "
      "inside\n";
  const Group inside = group_of(report, false);
  const Group computing = group_of(report, true);
  if (!inside.kills.empty()) {
    text += group_text(inside, "all survivors inside the operation") + targets_text(inside);
  }
  if (!computing.kills.empty()) {
    text += group_text(computing, "half of the survivors computing");
  }
  return text;
}

std::string recovery_json(const RecoveryReport& report) {
  Json json{{"detour", report.version},
            {"collective", "allreduce"},
            {"ranks", report.rank_count},
            {"bytes", report.bytes},
            {"in_place", report.in_place}};
  if (!report.policy.empty()) json["policy"] = report.policy;
  const Group inside = group_of(report, false);
  const Group computing = group_of(report, true);
  if (!inside.kills.empty()) {
    json["inside"] = group_json(inside);
    json["inside"]["view_target"] =
        verdict(median(inside, &RecoveryCost::view_us), allowed_view_us);
    json["inside"]["result_target"] =
        verdict(median(inside, &RecoveryCost::over_fault_free), allowed_result_over_fault_free);
  }
  if (!computing.kills.empty()) json["half_computing"] = group_json(computing);
  json["kills"] = Json::array();
  for (const KillTimes& kill : report.kills) json["kills"].push_back(Json::parse(to_line(kill)));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace detour::tool
