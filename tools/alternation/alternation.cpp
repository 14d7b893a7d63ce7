#include "alternation/alternation.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>

#include "alternation/size_summary.hpp"
#include "bench/detour_memory.hpp"
#include "bench/mpi_job.hpp"
#include "bench/statistics.hpp"
#include "exit_status.hpp"
#include "format.hpp"

namespace detour::tool {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t least_trial_round_count = 2;
constexpr std::uint64_t trial_round_count_max = 50;
constexpr double trial_share = 0.1;   // of the time of a size
constexpr double hopeless_ratio = 2;  // to the fastest peer
constexpr std::uint64_t warm_up_round_count_min = 3;
constexpr std::uint64_t round_count_min = 11;
constexpr std::uint64_t round_count_max = 20'000;

// Since the machine started: the same for all processes on it.
double now_us() {
  return std::chrono::duration<double, std::micro>(Clock::now().time_since_epoch()).count();
}

std::uint64_t round_count_within(double budget_s, double round_s, std::uint64_t least,
                                 std::uint64_t most) {
  const double fitting = std::min(budget_s / std::max(round_s, 1e-9), 1e9);
  return std::clamp(static_cast<std::uint64_t>(fitting), least, most);
}

}  // namespace

// One entrant at one size.
struct Alternation::Lane {
  const Entrant* entrant = nullptr;
  BufferPool* pool = nullptr;
  bool taking_part = true;     // it can do it
  bool in_the_running = true;  // and is not too slow
  std::string defect = {};     // the first one on this rank
  std::vector<double> starts_us = {};
  std::vector<double> ends_us = {};
  std::vector<double> trial_us = {};  // of the slowest ranks

  bool is(Role role) const { return entrant->series.role == role; }
  bool has_buffers(Buffers buffers) const {
    return !entrant->reads_peers && entrant->series.buffers == buffers;
  }
  bool plays() const { return taking_part && in_the_running; }
};

struct Alternation::Pools {
  std::unique_ptr<BufferPool> any = {};
  std::unique_ptr<BufferPool> shared = {};
  std::unique_ptr<BufferPool> together = {};
  std::uint64_t slot_count_to_map = 0;  // of the shared pool, when first used by others
};

Alternation::Alternation(Peers& peers, std::span<const Entrant> entrants,
                         const AlternationOptions& options)
    : peers_(peers),
      entrants_(entrants),
      options_(options),
      input_(Pattern::input(find_number_type("float"), find_operation("sum"), peers.rank(),
                            peers.count())),
      result_(Pattern::result(find_number_type("float"), find_operation("sum"), peers.count())),
      validator_(result_, peers.rank()) {}

ComparedSize Alternation::run(std::uint64_t bytes, std::vector<std::string>& notes) {
  bytes_ = bytes;
  std::vector<Lane> lanes = make_lanes(bytes);
  Pools pools;
  if (!make_pools(pools, lanes, notes)) {
    for (Lane& lane : lanes) lane.taking_part = false;
    return summary(lanes);
  }
  try_out(lanes, notes);
  stop_on_defect(lanes);
  hold_trial(lanes);
  const double round_s = play(lanes, std::max(warm_up_round_count_min, pools.slot_count_to_map));
  forget_times(lanes);
  play(lanes, round_count_within(options_.budget_s, round_s, round_count_min, round_count_max));
  stop_on_defect(lanes);
  return summary(lanes);
}

std::vector<Alternation::Lane> Alternation::make_lanes(std::uint64_t bytes) const {
  std::vector<Lane> lanes;
  for (const Entrant& entrant : entrants_) {
    lanes.push_back({.entrant = &entrant,
                     .taking_part = bytes >= entrant.bytes_min && bytes <= entrant.bytes_max});
  }
  return lanes;
}

// The same on all ranks: gives whether there is memory for it.
bool Alternation::make_pools(Pools& pools, std::vector<Lane>& lanes,
                             std::vector<std::string>& notes) {
  const bool with_shared = std::ranges::any_of(lanes, [](const Lane& lane) {
    return lane.taking_part && lane.has_buffers(Buffers::shared);
  });
  const int pool_count = with_shared ? 2 : 1;
  const PoolShape shape{
      .bytes = bytes_,
      .slot_count = choose_slot_count(bytes_, options_.in_place, peers_.count(), pool_count,
                                      options_.cache_bytes, options_.memory_bytes),
      .in_place = options_.in_place};
  std::string own;
  try {
    if (shape.slot_count == 0) throw std::bad_alloc();
    pools.any = std::make_unique<BufferPool>(shape, allocate_from_system, input_, validator_);
    if (with_shared) {
      pools.slot_count_to_map = shape.slot_count;
      pools.shared = std::make_unique<BufferPool>(shape, allocate_from_detour, input_, validator_);
    }
  } catch (const std::bad_alloc&) {
    own = "there is not enough memory for the buffers of " + count(peers_.count(), "rank");
  }
  const std::string complaint = peers_.first_complaint(own);
  if (!complaint.empty()) {
    notes.push_back(size(bytes_) + " is left out: " + complaint);
    return false;
  }
  for (Lane& lane : lanes) {
    lane.pool = lane.has_buffers(Buffers::shared) ? pools.shared.get() : pools.any.get();
  }
  const std::uint64_t used_bytes = shape.memory_bytes() * static_cast<std::uint64_t>(pool_count) *
                                   static_cast<std::uint64_t>(peers_.count());
  make_pool_together(pools, lanes, options_.memory_bytes - used_bytes, notes);
  return true;
}

// Of what memory the others leave, so that it takes nothing from them.
void Alternation::make_pool_together(Pools& pools, std::vector<Lane>& lanes,
                                     std::uint64_t memory_bytes, std::vector<std::string>& notes) {
  const auto needs_it = [](const Lane& lane) {
    return lane.taking_part && lane.entrant->reads_peers;
  };
  if (std::ranges::none_of(lanes, needs_it)) return;
  const PoolShape shape{.bytes = bytes_,
                        .slot_count = choose_slot_count(bytes_, options_.in_place, peers_.count(),
                                                        1, options_.cache_bytes, memory_bytes),
                        .in_place = options_.in_place};
  try {
    if (shape.slot_count == 0) throw std::bad_alloc();
    pools.together =
        std::make_unique<BufferPool>(shape, options_.allocate_together, input_, validator_);
  } catch (const std::bad_alloc&) {
    // On all ranks, which say so below.
  }
  for (Lane& lane : lanes) {
    if (!needs_it(lane)) continue;
    lane.pool = pools.together.get();
    if (!pools.together) {
      leave_out(lane, "there is not enough memory that all ranks share", notes);
    }
  }
}

void Alternation::leave_out(Lane& lane, const std::string& complaint,
                            std::vector<std::string>& notes) const {
  lane.taking_part = false;
  notes.push_back(lane.entrant->series.name + " is left out at " + size(bytes_) + ": " + complaint);
}

void Alternation::try_out(std::vector<Lane>& lanes, std::vector<std::string>& notes) {
  for (Lane& lane : lanes) {
    if (!lane.taking_part) continue;
    const int count = static_cast<int>(bytes_ / input_.type().bytes);
    const int error = lane.entrant->call(lane.pool->send(), lane.pool->receive().data(), count);
    lane.pool->finish_turn();
    const std::string complaint =
        peers_.first_complaint(error == MPI_SUCCESS ? "" : mpi_error_text(error));
    if (!complaint.empty()) leave_out(lane, complaint, notes);
  }
}

// One round tells who is out of the question, which with many ranks saves minutes; some more, who is hopeless.
void Alternation::hold_trial(std::vector<Lane>& lanes) {
  play(lanes, 1);
  set_slow_peers_aside(lanes, 2 * hopeless_ratio);
  const double round_s = play(lanes, least_trial_round_count);
  play(lanes,
       round_count_within(trial_share * options_.budget_s, round_s, 0, trial_round_count_max));
  set_slow_peers_aside(lanes, hopeless_ratio);
  forget_times(lanes);
}

// All ranks come to the same.
void Alternation::set_slow_peers_aside(std::vector<Lane>& lanes, double ratio) {
  std::vector<double> peers_us;
  for (Lane& lane : lanes) {
    if (!lane.plays()) continue;
    lane.trial_us = slowest_us(lane);
    if (lane.is(Role::peer)) peers_us.push_back(percentile(lane.trial_us, 0.5));
  }
  for (Lane& lane : lanes) {
    if (!lane.plays() || !lane.is(Role::peer)) continue;
    lane.in_the_running = !is_hopeless(percentile(lane.trial_us, 0.5), peers_us, ratio);
  }
}

void Alternation::forget_times(std::vector<Lane>& lanes) {
  for (Lane& lane : lanes) {
    lane.starts_us.clear();
    lane.ends_us.clear();
  }
}

// The first and the last round are checked everywhere, those between at some places.
double Alternation::play(std::vector<Lane>& lanes, std::uint64_t round_count) {
  const double start_us = now_us();
  const std::size_t lane_count = lanes.size();
  for (std::uint64_t round = 0; round < round_count; ++round) {
    const bool whole = round == 0 || round + 1 == round_count;
    for (std::size_t turn = 0; turn < lane_count; ++turn) {
      Lane& lane = lanes[round % 2 == 0 ? turn : lane_count - 1 - turn];
      if (lane.plays()) call(lane, round, whole ? Thoroughness::whole : Thoroughness::sampled);
    }
  }
  const double own_s =
      (now_us() - start_us) / 1e6 / static_cast<double>(std::max<std::uint64_t>(round_count, 1));
  return peers_.maxima({own_s}).front();
}

// Errors and wrong results are kept, not acted upon: one rank that stopped alone would leave the others waiting.
void Alternation::call(Lane& lane, std::uint64_t round, Thoroughness thoroughness) {
  const std::byte* const send = lane.pool->send();
  const std::span<std::byte> receive = lane.pool->receive();
  const int count = static_cast<int>(bytes_ / input_.type().bytes);
  peers_.synchronise();
  const double start_us = now_us();
  const int error = lane.entrant->call(send, receive.data(), count);
  lane.ends_us.push_back(now_us());
  lane.starts_us.push_back(start_us);
  // What follows would keep others who are not through yet from their cores.
  peers_.synchronise();
  if (lane.defect.empty()) {
    if (error != MPI_SUCCESS) {
      lane.defect = "rank " + std::to_string(peers_.rank()) + ": " + mpi_error_text(error);
    } else if (!lane.is(Role::limit)) {
      const auto wrong =
          validator_.find_defect(receive, lane.pool->first_element(), thoroughness, round);
      if (wrong) lane.defect = "wrong result: " + *wrong;
    }
  }
  lane.pool->finish_turn();
}

// Of every call the time of its slowest rank. Where ranks don't wait for each other, and share cores, each alone would
// seem faster than all together: such a call lasts from the first start to the last end.
std::vector<double> Alternation::slowest_us(const Lane& lane) {
  std::vector<double> us(lane.ends_us.size());
  if (lane.entrant->ranks_meet) {
    std::ranges::transform(lane.ends_us, lane.starts_us, us.begin(), std::minus());
    return peers_.maxima(us);
  }
  std::vector<double> before_us(lane.starts_us.size());
  std::ranges::transform(lane.starts_us, before_us.begin(), std::negate());
  const auto earliest_us = peers_.maxima(before_us);
  const auto latest_us = peers_.maxima(lane.ends_us);
  std::ranges::transform(latest_us, earliest_us, us.begin(), std::plus());
  return us;
}

void Alternation::stop_on_defect(const std::vector<Lane>& lanes) {
  for (const Lane& lane : lanes) {
    const std::string defect = peers_.first_complaint(lane.defect);
    if (defect.empty()) continue;
    throw Defect(lane.entrant->series.name + " at " + size(bytes_) + ": " + defect);
  }
}

// By the rank that reports: it is some work, and the others would do it at the same time.
ComparedSize Alternation::summary(std::vector<Lane>& lanes) {
  std::vector<Series> series;
  std::vector<Calls> calls;
  for (const Lane& lane : lanes) {
    series.push_back(lane.entrant->series);
    Calls one{.in_the_running = lane.in_the_running};
    if (lane.taking_part) one.us = lane.in_the_running ? slowest_us(lane) : lane.trial_us;
    calls.push_back(std::move(one));
  }
  if (peers_.rank() != 0) return {.bytes = bytes_, .medians = {}, .standings = {}};
  return summarise(bytes_, series, calls);
}

}  // namespace detour::tool
