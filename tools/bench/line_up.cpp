#include "bench/line_up.hpp"

#include <algorithm>

#include "bench/mpi_job.hpp"
#include "bench/mpi_names.hpp"
#include "detour/detour.h"
#include "exit_status.hpp"

namespace detour::tool {
namespace {

MPI_Comm duplicate_of_world() {
  MPI_Comm comm = MPI_COMM_NULL;
  PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return comm;
}

// Empty if it went well.
std::string complaint_of(int error) {
  return error == MPI_SUCCESS ? "" : mpi_error_text(error);
}

Contestant make_contestant(const SeriesName& series, const std::shared_ptr<AllreduceCalls>& calls) {
  Contestant contestant;
  contestant.series = series;
  contestant.describe = mpi_error_text;
  if (series.handing == Handing::nonblocking) {
    contestant.call = [calls](const void* send, void* receive, int count) {
      return calls->begin(send, receive, count);
    };
    contestant.finish = [calls] { return calls->finish(); };
  } else {
    contestant.call = [calls](const void* send, void* receive, int count) {
      return calls->call(send, receive, count);
    };
  }
  return contestant;
}

}  // namespace

LineUp::LineUp(const LineUpOptions& options, Peers& peers, std::vector<std::string>& notes) {
  if (options.policies.empty()) add_detour({"detour"}, {}, options, peers, notes);
  for (const std::string& policy : options.policies) {
    add_detour({policy}, {{"policy", policy}}, options, peers, notes);
  }
  if (options.with_twin) {
    CommSettings settings{{"ft", "off"}};
    if (!options.policies.empty()) settings.emplace_back("policy", options.policies.front());
    add_detour({"noft", SeriesRole::twin}, settings, options, peers, notes);
  }
  if (options.with_mpi) add_mpi(options);
}

LineUp::LineUp(const LineUpOptions& options,
               const std::vector<std::pair<SeriesName, MPI_Comm>>& series) {
  for (const auto& [name, comm] : series) {
    add_contestants(name, detour_allreduce, comm, options);
  }
}

LineUp::~LineUp() {
  for (MPI_Comm& comm : comms_) PMPI_Comm_free(&comm);
}

void LineUp::add_detour(const SeriesName& series, const CommSettings& settings,
                        const LineUpOptions& options, Peers& peers,
                        std::vector<std::string>& notes) {
  MPI_Comm comm = duplicate_of_world();
  int error = MPI_SUCCESS;
  for (const auto& [name, value] : settings) {
    if (error == MPI_SUCCESS) error = Detour_Set(comm, name.c_str(), value.c_str());
  }
  if (error == MPI_SUCCESS) error = Detour_Prepare(comm);
  const std::string complaint = peers.first_complaint(complaint_of(error));
  if (!complaint.empty()) {
    PMPI_Comm_free(&comm);
    notes.push_back(series.name + " is left out: " + complaint);
    return;
  }
  comms_.push_back(comm);
  add_contestants(series, detour_allreduce, comm, options);
}

void LineUp::add_mpi(const LineUpOptions& options) {
  const MPI_Comm comm = duplicate_of_world();
  comms_.push_back(comm);
  add_contestants({"mpi", SeriesRole::mpi}, mpi_allreduce, comm, options);
}

void LineUp::add_contestants(const SeriesName& series, const AllreduceFunctions& functions,
                             MPI_Comm comm, const LineUpOptions& options) {
  const auto calls = std::make_shared<AllreduceCalls>(functions, mpi_type(options.type),
                                                      mpi_op(options.operation), comm);
  if (!options.both_ways) {
    contestants_.push_back(make_contestant(series, calls));
    return;
  }
  for (const Handing handing : {Handing::nonblocking, Handing::blocking}) {
    SeriesName one = series;
    one.handing = handing;
    contestants_.push_back(make_contestant(one, calls));
  }
}

bool LineUp::has(SeriesRole role) const {
  return std::ranges::any_of(contestants_,
                             [role](const Contestant& one) { return one.series.role == role; });
}

}  // namespace detour::tool
