#include "tune/job_times.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "way_words.hpp"

namespace detour::tool {
namespace {

using Json = nlohmann::ordered_json;

Json median_json(const std::optional<Median>& median) {
  if (!median) return nullptr;
  return {{"of_trial", median->of_trial},
          {"calls", median->call_count},
          {"us", median->us},
          {"low_us", median->low_us},
          {"high_us", median->high_us}};
}

std::optional<Median> median_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return Median{.of_trial = json.at("of_trial"),
                .call_count = json.at("calls"),
                .us = json.at("us"),
                .low_us = json.at("low_us"),
                .high_us = json.at("high_us")};
}

PlaceTimes place_times_of(const Json& json) {
  PlaceTimes place{.nodes = json.at("one_node") ? NodeLayout::one : NodeLayout::many,
                   .rank_count = json.at("ranks"),
                   .bytes = json.at("bytes"),
                   .in_place = json.at("in_place"),
                   .ways = {},
                   .medians = {},
                   .notes = json.at("notes")};
  for (const Json& way : json.at("ways")) {
    place.ways.push_back({.policy = way.at("policy"),
                          .chunk_bytes = way.at("chunk_bytes"),
                          .stores = static_cast<StoreChoice>(way.at("stores").get<int>())});
    place.medians.push_back(median_from(way.at("median")));
  }
  return place;
}

SizeTimes& size_of(JobTimes& job, const PlaceTimes& place) {
  const auto found = std::ranges::find(job.sizes, place.bytes, &SizeTimes::bytes);
  if (found != job.sizes.end()) return *found;
  SizeTimes size{.bytes = place.bytes};
  for (const Way& way : place.ways) size.ways.push_back({.way = way});
  job.sizes.push_back(std::move(size));
  return job.sizes.back();
}

}  // namespace

void add(JobTimes& job, const PlaceTimes& place) {
  job.nodes = place.nodes;
  job.rank_count = place.rank_count;
  job.notes.insert(job.notes.end(), place.notes.begin(), place.notes.end());
  SizeTimes& size = size_of(job, place);
  for (std::size_t index = 0; index < place.medians.size(); ++index) {
    WayTimes& times = size.ways[index];
    (place.in_place ? times.in_place : times.out_of_place) = place.medians[index];
  }
}

std::string to_line(const PlaceTimes& place) {
  Json json{{"one_node", place.nodes == NodeLayout::one},
            {"ranks", place.rank_count},
            {"bytes", place.bytes},
            {"in_place", place.in_place},
            {"ways", Json::array()},
            {"notes", place.notes}};
  for (std::size_t index = 0; index < place.ways.size(); ++index) {
    const Way& way = place.ways[index];
    json["ways"].push_back({{"policy", way.policy},
                            {"chunk_bytes", way.chunk_bytes},
                            {"stores", static_cast<int>(way.stores)},
                            {"median", median_json(place.medians[index])}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<PlaceTimes> place_times_from(std::string_view line) {
  try {
    return place_times_of(Json::parse(line));
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace detour::tool
