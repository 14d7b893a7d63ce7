#include "bench/recovery/kill_times.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace detour::tool {
namespace {

using Json = nlohmann::ordered_json;

// One list for both directions.
template <class Times, class Visit>
void for_each_field(Times& times, const Visit& visit) {
  visit("ranks", times.rank_count);
  visit("victim", times.victim);
  visit("half_computes", times.half_computes);
  visit("broke_attempt", times.broke_attempt);
  visit("fault_free_us", times.fault_free_us);
  visit("kill_ns", times.kill_ns);
  visit("entered_ns", times.entered_ns);
  visit("first_noticed_ns", times.noticed.first_ns);
  visit("last_noticed_ns", times.noticed.last_ns);
  visit("first_agreed_ns", times.agreed.first_ns);
  visit("last_agreed_ns", times.agreed.last_ns);
  visit("first_begun_ns", times.begun.first_ns);
  visit("last_begun_ns", times.begun.last_ns);
  visit("first_completed_ns", times.completed.first_ns);
  visit("last_completed_ns", times.completed.last_ns);
}

double us_between(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<double>(std::max<std::int64_t>(to_ns - from_ns, 0)) / 1e3;
}

}  // namespace

std::string to_line(const KillTimes& times) {
  Json json;
  for_each_field(times, [&](const char* name, const auto& value) { json[name] = value; });
  return json.dump();
}

std::optional<KillTimes> kill_times_from(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  KillTimes times;
  bool is_whole = true;
  for_each_field(times, [&]<class Value>(const char* name, Value& value) {
    const auto found = json.find(name);
    const bool fits = found != json.end() &&
                      (std::is_same_v<Value, bool> ? found->is_boolean() : found->is_number());
    if (fits) value = found->get<Value>();
    is_whole = is_whole && fits;
  });
  return is_whole ? std::optional(times) : std::nullopt;
}

RecoveryCost cost_of(const KillTimes& times) {
  const std::int64_t start_ns =
      times.half_computes ? std::max(times.kill_ns, times.entered_ns) : times.kill_ns;
  RecoveryCost cost{
      .detection_us = us_between(times.kill_ns, times.noticed.first_ns),
      .agreement_us = us_between(std::max(start_ns, times.noticed.first_ns), times.agreed.last_ns),
      .replanning_us = us_between(times.agreed.last_ns, times.begun.last_ns),
      .redo_us = us_between(times.begun.last_ns, times.completed.last_ns),
      .view_us = us_between(start_ns, times.agreed.first_ns),
      .view_known_us = us_between(start_ns, times.agreed.last_ns),
      .first_result_us = us_between(start_ns, times.completed.first_ns),
      .result_us = us_between(start_ns, times.completed.last_ns)};
  if (times.fault_free_us > 0) cost.over_fault_free = cost.result_us / times.fault_free_us;
  return cost;
}

}  // namespace detour::tool
