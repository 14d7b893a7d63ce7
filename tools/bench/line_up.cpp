#include "bench/line_up.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include "bench/mpi_job.hpp"
#include "bench/mpi_names.hpp"

namespace detour::tool {
namespace {

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
  add_detours(options, peers, notes);
  if (options.with_mpi) add_mpi(options);
}

LineUp::LineUp(const LineUpOptions& options,
               const std::vector<std::pair<SeriesName, MPI_Comm>>& series) {
  for (const auto& [name, comm] : series) {
    add_contestants(name, detour_allreduce, {comm}, options);
  }
}

LineUp::~LineUp() {
  for (MPI_Comm& comm : comms_) PMPI_Comm_free(&comm);
}

std::vector<LineUp::DetourSeries> LineUp::detour_series(const LineUpOptions& options) {
  std::vector<DetourSeries> all;
  if (options.policies.empty()) all.push_back({{"detour"}, {}});
  for (const std::string& policy : options.policies)
    all.push_back({{policy}, {{"policy", policy}}});
  if (options.with_twin) {
    DetourSeries twin{{"noft", SeriesRole::twin}, {{"ft", "off"}}};
    if (!options.policies.empty()) twin.settings.emplace_back("policy", options.policies.front());
    all.push_back(std::move(twin));
  }
  return all;
}

void LineUp::add_detours(const LineUpOptions& options, Peers& peers,
                         std::vector<std::string>& notes) {
  std::vector<DetourSeries> all = detour_series(options);
  for (DetourSeries& series : all) make_comm(series, peers);
  if (options.with_twin) {
    for (DetourSeries& series : all | std::views::reverse) make_comm(series, peers);
  }
  for (const DetourSeries& series : all) {
    if (series.complaint.empty()) {
      add_contestants(series.name, detour_allreduce, series.comms, options);
    } else {
      notes.push_back(series.name.name + " is left out: " + series.complaint);
    }
  }
}

void LineUp::make_comm(DetourSeries& series, Peers& peers) {
  if (!series.complaint.empty()) return;
  comms_.push_back(duplicate_of_world());
  const MPI_Comm comm = comms_.back();
  series.complaint = prepare_comm(comm, series.settings, peers);
  if (series.complaint.empty()) series.comms.push_back(comm);
}

void LineUp::add_mpi(const LineUpOptions& options) {
  const MPI_Comm comm = duplicate_of_world();
  comms_.push_back(comm);
  add_contestants({"mpi", SeriesRole::mpi}, mpi_allreduce, {comm}, options);
}

void LineUp::add_contestants(const SeriesName& series, const AllreduceFunctions& functions,
                             const std::vector<MPI_Comm>& comms, const LineUpOptions& options) {
  const auto calls = std::make_shared<AllreduceCalls>(functions, mpi_type(options.type),
                                                      mpi_op(options.operation), comms);
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
