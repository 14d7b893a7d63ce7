#include "compare/measuring.hpp"

#include <mpi.h>

#include <algorithm>
#include <iostream>

#include "alternation/alternation.hpp"
#include "alternation/machine.hpp"
#include "bench/detour_memory.hpp"
#include "bench/line_up.hpp"
#include "bench/mpi_job.hpp"
#include "bench/node_memory.hpp"
#include "bench/progress.hpp"
#include "compare/comparison_json.hpp"
#include "compare/limit_entrants.hpp"
#include "compare/mapped_pages.hpp"
#include "compare/open_mpi_peers.hpp"
#include "detour/detour.h"
#include "exit_status.hpp"
#include "format.hpp"
#include "output.hpp"

namespace detour::tool {
namespace {

// "Open MPI v4.1.4, package: ...": the first part.
std::string mpi_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  PMPI_Get_library_version(text, &length);
  const std::string whole = one_line(text);
  return whole.substr(0, whole.find(','));
}

void add_detour(std::vector<Entrant>& entrants, const LineUp& line_up) {
  const AllreduceCall call = line_up.contestants().front().call;
  entrants.push_back({.series = {"detour", Role::detour, Buffers::any}, .call = call});
  entrants.push_back({.series = {"detour, Detour_Alloc", Role::detour, Buffers::shared},
                      .call = call,
                      .bytes_min = shared_bytes_min});
}

void add_peers(std::vector<Entrant>& entrants, const OpenMpiPeers& peers) {
  for (const PeerCall& peer : peers.calls()) {
    entrants.push_back({.series = {peer.name, Role::peer, Buffers::any}, .call = peer.call});
  }
}

// Detour_Alloc's memory is within bounds that are set when the library is first used.
void make_room_for_shared_pools(const AlternationOptions& options, int rank_count,
                                std::uint64_t largest_bytes) {
  const PoolShape shape{
      .bytes = largest_bytes,
      .slot_count = choose_slot_count(largest_bytes, options.in_place, rank_count, 2,
                                      options.cache_bytes, options.memory_bytes),
      .in_place = options.in_place};
  const std::uint64_t least_bytes = 2 * options.cache_bytes;  // pools of small messages
  make_room_in_library(std::max<std::uint64_t>(shape.memory_bytes(), least_bytes));
}

// What has been found of a size, for who waits for it.
std::string size_line(const Comparison& comparison) {
  const ComparedSize& found = comparison.sizes.back();
  std::string text = count(comparison.rank_count, "rank") + " " + place_words(comparison.in_place) +
                     ", " + size(found.bytes);
  for (const Standing& standing : found.standings) {
    const auto own = detour_median(comparison, found, standing.buffers);
    text += standing.buffers == Buffers::any ? ": " : "; Detour_Alloc: ";
    text += duration(own->us);
    if (standing.to_best_peer) text += ", " + fixed(standing.to_best_peer->ratio, 2) + "x";
  }
  if (const auto best = fastest(comparison, found, Role::peer)) {
    text +=
        "; best peer " + duration(found.medians[*best]->us) + ", " + comparison.series[*best].name;
  }
  return text;
}

void measure_sizes(Comparison& comparison, Alternation& alternation, Peers& peers,
                   const MeasuringOptions& options) {
  const bool speaks = peers.rank() == 0;
  Progress progress(speaks && !options.as_lines);
  for (const std::uint64_t bytes : options.sizes_bytes) {
    progress.show(count(peers.count(), "rank") + " " + place_words(options.in_place) + ", " +
                  size(bytes));
    ComparedSize found = alternation.run(bytes, comparison.notes);
    progress.clear();
    if (!speaks) continue;
    comparison.sizes.push_back(std::move(found));
    std::cout << size_line(comparison) << std::endl;
  }
}

}  // namespace

void measure(const MeasuringOptions& options) {
  MpiPeers peers(MPI_COMM_WORLD);
  if (peers.count_on_node() != peers.count()) {
    throw BadInput("the comparison is for one node, and these ranks are on several");
  }
  // Who gets no memory goes without.
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MappedPages pages(MPI_COMM_WORLD);
  const AlternationOptions alternation_options{
      .in_place = options.in_place,
      .budget_s = options.budget_s,
      .cache_bytes = last_cache_bytes(),
      .memory_bytes = least_memory_share(peers, 1) / 2,
      .allocate_together = [&pages](std::size_t bytes) { return pages.allocate(bytes); }};
  make_room_for_shared_pools(alternation_options, peers.count(), options.sizes_bytes.back());
  Comparison comparison{.rank_count = peers.count(),
                        .in_place = options.in_place,
                        .mpi_version = mpi_version(),
                        .detour_version = Detour_Version(),
                        .series = {},
                        .sizes = {},
                        .notes = {}};
  const LineUp line_up({.type = find_number_type("float"), .operation = Operation::sum}, peers,
                       comparison.notes);
  if (line_up.contestants().empty()) throw BadInput(comparison.notes.front());
  const OpenMpiPeers open_mpi;
  const auto barrier = NodeBarrier::make(MPI_COMM_WORLD);
  std::vector<Entrant> entrants;
  add_detour(entrants, line_up);
  add_peers(entrants, open_mpi);
  add_limits(entrants, barrier.get(), options.in_place);
  add_bare_exchanges(entrants);
  add_bare_mapped_sums(entrants, pages, options.in_place);
  for (const Entrant& entrant : entrants) comparison.series.push_back(entrant.series);
  Alternation alternation(peers, entrants, alternation_options);
  measure_sizes(comparison, alternation, peers, options);
  do_on_first_rank(peers, [&] { write_file(options.output_path, to_json(comparison)); });
}

}  // namespace detour::tool
