#include "compare/comparison_json.hpp"

#include <nlohmann/json.hpp>

#include "exit_status.hpp"

namespace detour::tool {

using Json = nlohmann::ordered_json;

NLOHMANN_JSON_SERIALIZE_ENUM(Role, {{Role::detour, "detour"},
                                    {Role::peer, "peer"},
                                    {Role::limit, "limit"},
                                    {Role::exchange, "exchange"},
                                    {Role::outsider, "outsider"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Buffers, {{Buffers::any, "any"}, {Buffers::shared, "Detour_Alloc"}})

namespace {

Json to_json_ratio(const std::optional<Ratio>& ratio) {
  if (!ratio) return nullptr;
  return {{"ratio", ratio->ratio}, {"low", ratio->low}, {"high", ratio->high}};
}

std::optional<Ratio> ratio_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return Ratio{.ratio = json.at("ratio"), .low = json.at("low"), .high = json.at("high")};
}

Json to_json_size(const Comparison& comparison, const ComparedSize& size) {
  Json json{{"bytes", size.bytes},
            {"best_peer_over_limit", to_json_ratio(size.best_peer_to_limit)},
            {"medians", Json::object()},
            {"standings", Json::array()}};
  for (std::size_t index = 0; index < size.medians.size(); ++index) {
    const auto& median = size.medians[index];
    if (!median) continue;
    json["medians"][comparison.series[index].name] = {{"calls", median->call_count},
                                                      {"us", median->us},
                                                      {"low_us", median->low_us},
                                                      {"high_us", median->high_us}};
    if (median->of_trial) json["medians"][comparison.series[index].name]["of_trial"] = true;
  }
  for (const Standing& standing : size.standings) {
    json["standings"].push_back(
        {{"buffers", standing.buffers},
         {"best_peer_over_this", to_json_ratio(standing.to_best_peer)},
         {"limit_over_this", to_json_ratio(standing.to_limit)},
         {"best_peer_over_exchange", to_json_ratio(standing.best_peer_to_exchange)},
         {"limit_over_exchange", to_json_ratio(standing.limit_to_exchange)}});
  }
  return json;
}

ComparedSize size_from(const Comparison& comparison, const Json& json) {
  ComparedSize size{.bytes = json.at("bytes"),
                    .best_peer_to_limit = ratio_from(json.value("best_peer_over_limit", Json()))};
  const Json& medians = json.at("medians");
  for (const Series& series : comparison.series) {
    if (!medians.contains(series.name)) {
      size.medians.push_back(std::nullopt);
      continue;
    }
    const Json& median = medians.at(series.name);
    size.medians.push_back(Median{.of_trial = median.value("of_trial", false),
                                  .call_count = median.at("calls"),
                                  .us = median.at("us"),
                                  .low_us = median.at("low_us"),
                                  .high_us = median.at("high_us")});
  }
  for (const Json& standing : json.at("standings")) {
    size.standings.push_back(
        {.buffers = standing.at("buffers"),
         .to_best_peer = ratio_from(standing.at("best_peer_over_this")),
         .to_limit = ratio_from(standing.at("limit_over_this")),
         .best_peer_to_exchange = ratio_from(standing.value("best_peer_over_exchange", Json())),
         .limit_to_exchange = ratio_from(standing.value("limit_over_exchange", Json()))});
  }
  return size;
}

Comparison comparison_from(const Json& json) {
  Comparison comparison{.rank_count = json.at("ranks"),
                        .in_place = json.at("in_place"),
                        .mpi_version = json.at("mpi"),
                        .detour_version = json.at("detour"),
                        .series = {},
                        .sizes = {},
                        .notes = json.at("notes")};
  for (const Json& series : json.at("series")) {
    comparison.series.push_back(
        {.name = series.at("name"), .role = series.at("role"), .buffers = series.at("buffers")});
  }
  for (const Json& size : json.at("sizes")) {
    comparison.sizes.push_back(size_from(comparison, size));
  }
  return comparison;
}

}  // namespace

std::string to_json(const Comparison& comparison) {
  Json json{{"ranks", comparison.rank_count}, {"in_place", comparison.in_place},
            {"mpi", comparison.mpi_version},  {"detour", comparison.detour_version},
            {"series", Json::array()},        {"sizes", Json::array()},
            {"notes", comparison.notes}};
  for (const Series& series : comparison.series) {
    json["series"].push_back(
        {{"name", series.name}, {"role", series.role}, {"buffers", series.buffers}});
  }
  for (const ComparedSize& size : comparison.sizes) {
    json["sizes"].push_back(to_json_size(comparison, size));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Comparison comparison_from_json(std::string_view name, const std::string& text) {
  try {
    return comparison_from(Json::parse(text));
  } catch (const nlohmann::json::exception& error) {
    throw BadInput(std::string(name) + " is no comparison of detour_compare: " + error.what());
  }
}

}  // namespace detour::tool
