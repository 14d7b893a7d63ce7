#include "core/mpi_errors.hpp"

#include <mpi.h>

#include <string_view>

#include "core/dead_ranks.hpp"
#include "log.hpp"
#include "mpi/process_failed.hpp"

namespace detour {
namespace {

struct Explanation {
  int error;
  std::string_view text;
};

Explanation explanation(Disagreement disagreement) {
  switch (disagreement) {
    case Disagreement::none:
      break;
    case Disagreement::kind:
      return {MPI_ERR_OTHER, "the ranks have called different collective operations"};
    case Disagreement::operation:
      return {MPI_ERR_OP, "the ranks' reduction operations differ"};
    case Disagreement::element:
      return {MPI_ERR_TYPE, "the ranks' datatypes differ"};
    case Disagreement::root:
      return {MPI_ERR_ROOT, "the ranks' roots differ"};
    case Disagreement::bytes:
      return {MPI_ERR_COUNT, "the ranks' sizes differ"};
    case Disagreement::shape:
      return {MPI_ERR_COUNT, "the ranks' lists of counts differ"};
    case Disagreement::settings:
      return {MPI_ERR_OTHER, "the ranks have set the communicator differently"};
  }
  return {MPI_ERR_OTHER, "a rank gave up"};
}

}  // namespace

int MpiErrors::disagreement(const CallVerdict& verdict) const {
  if (verdict.header.error != MPI_SUCCESS) return verdict.header.error;
  const Explanation found = explanation(verdict.disagreement);
  log(LogLevel::error, found.text);
  return found.error;
}

int MpiErrors::no_memory() const {
  return MPI_ERR_NO_MEM;
}

int MpiErrors::no_route(std::string_view reason) const {
  log(LogLevel::error, reason);
  return MPI_ERR_OTHER;
}

int MpiErrors::members_lost(std::span<const std::size_t> ranks) const {
  lost_.assign(ranks.begin(), ranks.end());
  return process_failed_class();
}

int MpiErrors::with_names(int error) const {
  if (error == MPI_SUCCESS || lost_.empty() || error != process_failed_class()) return error;
  return process_failed_code(lost_);
}

int MpiErrors::fenced() const {
  lost_.clear();
  log(LogLevel::error, "the other ranks have taken this one for dead and gone on without it");
  return process_failed_class();
}

}  // namespace detour
