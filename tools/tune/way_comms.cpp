#include "tune/way_comms.hpp"

#include <memory>

#include "bench/allreduce_calls.hpp"
#include "bench/detour_comm.hpp"
#include "way_words.hpp"

namespace detour::tool {
namespace {

// All that a line of the table would say, whatever the environment says.
CommSettings settings_of(const Way& way) {
  return {{"policy", way.policy},
          {"chunk_bytes", chunk_text(way.chunk_bytes)},
          {"stores", stores_text(way.stores)}};
}

// As a peer, because that is who is left out after a trial if it is too slow.
Entrant entrant_for(const Way& way, MPI_Comm comm) {
  const auto calls = std::make_shared<AllreduceCalls>(detour_allreduce, MPI_FLOAT, MPI_SUM,
                                                      std::vector<MPI_Comm>{comm});
  return {.series = {way_text(way), Role::peer, Buffers::any},
          .call = [calls](const void* send, void* receive, int count) {
            return calls->call(send, receive, count);
          }};
}

}  // namespace

WayComms::WayComms(const std::vector<Way>& ways, Peers& peers, std::vector<std::string>& notes) {
  for (const Way& way : ways) {
    comms_.push_back(duplicate_of_world());
    const std::string complaint = prepare_comm(comms_.back(), settings_of(way), peers);
    if (!complaint.empty()) {
      notes.push_back(way_text(way) + " is left out: " + complaint);
      continue;
    }
    ways_.push_back(way);
    entrants_.push_back(entrant_for(way, comms_.back()));
  }
}

WayComms::~WayComms() {
  for (MPI_Comm& comm : comms_) PMPI_Comm_free(&comm);
}

}  // namespace detour::tool
