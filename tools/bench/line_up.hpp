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

// Each has a communicator for itself, with its settings; those that differ only in whether calls block, share one.
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
  // As Detour_Set takes them.
  using CommSettings = std::vector<std::pair<std::string, std::string>>;

  void add_detour(const SeriesName& series, const CommSettings& settings,
                  const LineUpOptions& options, Peers& peers, std::vector<std::string>& notes);
  void add_mpi(const LineUpOptions& options);
  void add_contestants(const SeriesName& series, const AllreduceFunctions& functions, MPI_Comm comm,
                       const LineUpOptions& options);

  std::vector<Contestant> contestants_;
  std::vector<MPI_Comm> comms_;  // made here, of the contestants
};

}  // namespace detour::tool
