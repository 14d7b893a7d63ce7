// Who takes part: Detour with each policy that was asked for, and MPI or a twin without fault tolerance.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/allreduce_calls.hpp"
#include "bench/contestant.hpp"
#include "bench/detour_comm.hpp"
#include "bench/number_type.hpp"
#include "bench/peers.hpp"

namespace detour::tool {

struct LineUpOptions {
  NumberType type;
  Operation operation;
  std::vector<std::string> policies = {};  // none: the library chooses
  bool with_mpi = false;
  bool with_twin = false;  // the same without fault tolerance
  bool both_ways = false;  // each of them in nonblocking calls, and then in blocking ones
};

// Each has a communicator for itself, with its settings; those that differ only in whether calls block, share one. Beside a
// twin each has two, made in one order and then in the other, and takes them in turn: where a communicator's memory lies may
// cost more than what the twin is there to show.
class LineUp {
 public:
  // Policies that can't be set or prepared are left out, with a note.
  LineUp(const LineUpOptions& options, Peers& peers, std::vector<std::string>& notes);
  // Of contestants that the caller has the communicators of; errors have to be returned there.
  LineUp(const LineUpOptions& options, const std::vector<std::pair<SeriesName, MPI_Comm>>& series);
  ~LineUp();
  LineUp(const LineUp&) = delete;
  LineUp& operator=(const LineUp&) = delete;

  const std::vector<Contestant>& contestants() const { return contestants_; }
  bool has(SeriesRole role) const;

 private:
  struct DetourSeries {
    SeriesName name;
    CommSettings settings;
    std::vector<MPI_Comm> comms = {};
    std::string complaint = {};  // why it has none
  };

  static std::vector<DetourSeries> detour_series(const LineUpOptions& options);
  void add_detours(const LineUpOptions& options, Peers& peers, std::vector<std::string>& notes);
  void make_comm(DetourSeries& series, Peers& peers);
  void add_mpi(const LineUpOptions& options);
  void add_contestants(const SeriesName& series, const AllreduceFunctions& functions,
                       const std::vector<MPI_Comm>& comms, const LineUpOptions& options);

  std::vector<Contestant> contestants_;
  std::vector<MPI_Comm> comms_;  // made here, of the contestants
};

}  // namespace detour::tool
