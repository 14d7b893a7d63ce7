#include "tune/tune_rank.hpp"

#include <mpi.h>

#include <utility>

#include "alternation/alternation.hpp"
#include "alternation/machine.hpp"
#include "bench/mpi_job.hpp"
#include "bench/node_memory.hpp"
#include "exit_status.hpp"
#include "tune/candidates.hpp"
#include "tune/plannable.hpp"
#include "tune/way_comms.hpp"

namespace detour::tool {
namespace {

AlternationOptions alternation_options(const TuneOptions& options, Peers& peers, bool in_place) {
  return {.in_place = in_place,
          .budget_s = options.budget_s / 2,
          .cache_bytes = last_cache_bytes(),
          .memory_bytes = least_memory_share(peers, 1) / 2};
}

}  // namespace

void measure_ways(const TuneOptions& options, const Settings& settings,
                  const std::function<void(const PlaceTimes&)>& tell) {
  MpiPeers peers(MPI_COMM_WORLD);
  if (peers.count() < 2) throw BadInput("a job of one rank has nothing to tune: mpirun -np 2 ...");
  const bool on_one_node = peers.maxima({static_cast<double>(peers.count_on_node())}).front() ==
                           static_cast<double>(peers.count());
  PlaceTimes place{.nodes = on_one_node ? NodeLayout::one : NodeLayout::many,
                   .rank_count = peers.count()};
  const auto policies =
      plannable(options.policies, settings, options.sizes_bytes.back(), peers, place.notes);
  const WayComms comms(candidates(policies, place.nodes, place.rank_count, options.sizes_bytes),
                       peers, place.notes);
  if (comms.ways().empty()) throw Refused("nothing to measure: " + place.notes.front());
  place.ways = comms.ways();
  Alternation out_of_place(peers, comms.entrants(), alternation_options(options, peers, false));
  Alternation in_place(peers, comms.entrants(), alternation_options(options, peers, true));
  for (const std::uint64_t bytes : options.sizes_bytes) {
    for (Alternation* const alternation : {&out_of_place, &in_place}) {
      place.bytes = bytes;
      place.in_place = alternation == &in_place;
      place.medians = alternation->run(bytes, place.notes).medians;
      if (peers.rank() == 0) tell(place);
      place.notes.clear();
    }
  }
}

}  // namespace detour::tool
