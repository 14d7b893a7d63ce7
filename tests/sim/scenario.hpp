// What a seed stands for: processes, communicators, the calls that they make, and what goes wrong meanwhile.
//
// Four seeds in a row make the same calls, and differ in what goes wrong and in who is how fast: so that results can be
// compared that must not depend on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectives/call_header.hpp"
#include "collectives/rank_flow.hpp"

namespace detour::sim {

struct CommunicatorPlan {
  std::vector<int> processes;         // by rank
  std::optional<std::string> policy;  // unset: straight from shared memory where that can be done
  std::optional<std::uint64_t> chunk_bytes;  // unset: as the table says
  bool has_room_for_results = true;
  bool is_crowded = false;
};

struct CallPlan {
  std::size_t communicator = 0;
  CallKind kind = CallKind::barrier;
  Rank root = no_rank;
  std::uint64_t element_count = 0;
  std::vector<std::uint64_t> block_counts;  // by rank
  bool is_in_place = false;
  bool is_mapped = false;        // buffers are where all members can get at them,
  Rank unmapped_rank = no_rank;  // but for this one's
  bool is_commutative = true;
  Rank wrong_rank = no_rank;  // whose arguments have an error
  Rank poor_rank = no_rank;   // who has no memory, in its so many-th attempt
  int poor_attempt = 1;
};

struct Kill {
  std::uint64_t at_step = 0;
  int process = 0;
  int point_count =
      0;  // 0: between two steps; otherwise inside of one, at the so many-th point from then on
};

// Long enough, it is taken for dead; and then it goes on.
struct Pause {
  std::uint64_t at_step = 0;
  int process = 0;
  std::uint64_t us = 0;
};

// It can't go on in the call that it is in then, or in the next one, and leaves that communicator to the others.
struct Withdrawal {
  std::uint64_t at_step = 0;
  int process = 0;
};

struct Scenario {
  std::uint64_t seed = 0;
  int process_count = 0;
  std::vector<CommunicatorPlan> communicators;
  std::vector<CallPlan> calls;
  std::vector<Kill> kills;  // in the order of steps
  std::optional<Pause> pause;
  std::optional<Withdrawal> withdrawal;
  bool is_overlapping = false;  // calls on different communicators don't wait for each other
  std::uint64_t message_delay_us_max = 0;
  std::uint64_t detection_delay_us_max = 0;
};

inline constexpr std::uint64_t variant_count = 4;
inline constexpr int process_count_max = 8;

Scenario make_scenario(std::uint64_t seed);

// In words, for traces.
std::string describe(const Scenario& scenario);

}  // namespace detour::sim
