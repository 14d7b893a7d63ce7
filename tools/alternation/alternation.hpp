// Measures all entrants at one message size, call by call in turn, the order reversed from round to round.
//
// Many of the peers are so slow at some size that they can't be its best. A trial of a few rounds tells, and those that
// took more than twice as long as the best of them are left out of the others, so that the time goes into what matters.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "alternation/allreduce_call.hpp"
#include "alternation/buffer_pool.hpp"
#include "alternation/series.hpp"
#include "bench/peers.hpp"

namespace detour::tool {

struct Entrant {
  Series series;
  AllreduceCall call;
  std::uint64_t bytes_min = 0;  // of the messages that it takes part with
  std::uint64_t bytes_max = std::numeric_limits<std::uint64_t>::max();
  bool ranks_meet = true;    // none returns before all have called
  bool reads_peers = false;  // its buffers have to be of AlternationOptions::allocate_together
};

struct AlternationOptions {
  bool in_place = false;
  double budget_s = 1;             // of a size
  std::uint64_t cache_bytes = 0;   // all buffers together are to be larger
  std::uint64_t memory_bytes = 0;  // of the node, for all ranks' buffers
  // For entrants that read other ranks' buffers by themselves. Called by all ranks at once, and throws on all of them if it
  // does. None: there are no such entrants.
  AllocatePages allocate_together = {};
};

class Alternation {
 public:
  Alternation(Peers& peers, std::span<const Entrant> entrants, const AlternationOptions& options);

  // What is known on rank 0; on others the medians are missing. Who can't do it is left out, with a note, and so is all
  // that does not fit into memory. Throws Defect, on all ranks, if a result is wrong.
  ComparedSize run(std::uint64_t bytes, std::vector<std::string>& notes);

 private:
  struct Lane;
  struct Pools;

  std::vector<Lane> make_lanes(std::uint64_t bytes) const;
  bool make_pools(Pools& pools, std::vector<Lane>& lanes, std::vector<std::string>& notes);
  void make_pool_together(Pools& pools, std::vector<Lane>& lanes, std::uint64_t memory_bytes,
                          std::vector<std::string>& notes);
  void leave_out(Lane& lane, const std::string& complaint, std::vector<std::string>& notes) const;
  void try_out(std::vector<Lane>& lanes, std::vector<std::string>& notes);
  void hold_trial(std::vector<Lane>& lanes);
  void set_slow_peers_aside(std::vector<Lane>& lanes, double ratio);
  // Gives the seconds that a round took.
  double play(std::vector<Lane>& lanes, std::uint64_t round_count);
  static void forget_times(std::vector<Lane>& lanes);
  void call(Lane& lane, std::uint64_t round, Thoroughness thoroughness);
  std::vector<double> slowest_us(const Lane& lane);
  void stop_on_defect(const std::vector<Lane>& lanes);
  ComparedSize summary(std::vector<Lane>& lanes);

  Peers& peers_;
  std::span<const Entrant> entrants_;
  AlternationOptions options_;
  Pattern input_;
  Pattern result_;
  Validator validator_;
  std::uint64_t bytes_ = 0;
};

}  // namespace detour::tool
