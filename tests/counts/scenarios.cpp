#include "counts/scenarios.hpp"

#include "value_text.hpp"

namespace detour::counts {
namespace {

std::string allreduce_name(const std::string& where, std::size_t bytes, bool is_in_place) {
  return where + "/allreduce_" + size_text(bytes) + (is_in_place ? "_in_place" : "");
}

}  // namespace

std::vector<Scenario> all_scenarios() {
  std::vector<Scenario> all;
  for (const int rank_count : {2, 8}) {
    const std::string where = "direct/" + std::to_string(rank_count) + "_ranks";
    all.push_back({where + "/barrier", {.rank_count = rank_count}});
    // On both sides of where one way of doing it ends and the next one begins.
    for (const std::size_t bytes : {4u, 64u, 1u << 10, 4u << 10, 64u << 10, 1u << 20}) {
      for (const bool is_in_place : {false, true}) {
        all.push_back({allreduce_name(where, bytes, is_in_place),
                       {.rank_count = rank_count},
                       bytes,
                       is_in_place});
      }
    }
    for (const std::size_t bytes : {4u, 1u << 10}) {
      all.push_back({allreduce_name(where + "/crowded", bytes, false),
                     {.rank_count = rank_count, .is_crowded = true},
                     bytes});
    }
    for (const bool is_in_place : {false, true}) {
      constexpr std::size_t bytes = std::size_t{1} << 20;
      all.push_back({allreduce_name(where + "/mapped", bytes, is_in_place),
                     {.rank_count = rank_count},
                     bytes,
                     is_in_place,
                     true});
    }
  }
  // By name, because with `auto` ranks that share memory sum directly. On such a mesh it would take combs or, with a hole,
  // ring2d for little data and trees for much.
  const std::size_t bytes = std::size_t{64} << 10;
  for (const bool is_in_place : {false, true}) {
    const auto add = [&](const std::string& policy, const char* mesh, std::optional<Rank> hole) {
      all.push_back({allreduce_name(policy + mesh, bytes, is_in_place),
                     {.rank_count = 16, .policy = policy, .dead_rank = hole},
                     bytes,
                     is_in_place});
    };
    add("combs", "/4x4", std::nullopt);
    add("ring2d", "/4x4_with_hole", 5);
    add("trees", "/4x4_with_hole", 5);
  }
  return all;
}

}  // namespace detour::counts
