#include "shim/communicators.hpp"

#include <cstdint>
#include <optional>
#include <vector>

#include "core/hash.hpp"
#include "core/new_communicators.hpp"
#include "detour/detour.h"
#include "guarded.hpp"
#include "mpi/translated_ranks.hpp"
#include "shim/below.hpp"
#include "shim/call_subject.hpp"
#include "shim/export.hpp"
#include "shim/guarded_collective.hpp"
#include "shim/reporting_exceptions.hpp"
#include "shim/watched_request.hpp"

namespace detour::shim {
namespace {

std::optional<std::uint64_t> color_of(bool has_one, std::uint64_t color) {
  return has_one ? std::optional(color) : std::nullopt;
}

// Of its members' ranks in MPI_COMM_WORLD, in order.
std::uint64_t hash_of_group(MPI_Group group) {
  const auto ranks = ranks_in(MPI_COMM_WORLD, group);
  return hash_of(std::vector<std::uint64_t>(ranks.begin(), ranks.end()));
}

}  // namespace

int prepare(int result, const MPI_Comm* comm) {
  if (result != MPI_SUCCESS || *comm == MPI_COMM_NULL) return result;
  int is_between_groups = 0;
  int member_count = 0;
  PMPI_Comm_test_inter(*comm, &is_between_groups);
  PMPI_Comm_size(*comm, &member_count);
  if (is_between_groups == 0 && member_count > 1) Detour_Prepare(*comm);
  return result;
}

int comm_dup(MPI_Comm comm, MPI_Comm* made) {
  return make_communicator(
      comm, {.function = "MPI_Comm_dup", .color = 0},
      [&](MPI_Comm* place) { return below().comm_dup(comm, place); }, made);
}

int comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made) {
  return make_communicator(
      comm, {.function = "MPI_Comm_dup_with_info", .color = 0},
      [&](MPI_Comm* place) { return below().comm_dup_with_info(comm, info, place); }, made);
}

int comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  return make_communicator(
      comm, split_into("MPI_Comm_split", color, key),
      [&](MPI_Comm* place) { return below().comm_split(comm, color, key, place); }, made);
}

// All ranks that can meet share memory. What other types there are MPI alone knows: without some of the ranks
// there are no such communicators.
int comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
  const auto by_mpi = [&](MPI_Comm* place) {
    return below().comm_split_type(comm, type, key, info, place);
  };
  if (type != MPI_COMM_TYPE_SHARED && type != MPI_UNDEFINED) {
    return make_communicator_of_all(comm, "MPI_Comm_split_type", by_mpi, made);
  }
  return make_communicator(comm,
                           {.function = "MPI_Comm_split_type",
                            .color = color_of(type != MPI_UNDEFINED, 0),
                            .key = key,
                            .is_predictable = false},
                           by_mpi, made);
}

int comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
  const auto by_mpi = [&](MPI_Comm* place) { return below().comm_create(comm, group, place); };
  NewCommunicator wanted{.function = "MPI_Comm_create"};
  if (group == MPI_GROUP_NULL) {
    wanted.error = MPI_ERR_GROUP;
  } else {
    int rank = MPI_UNDEFINED;
    PMPI_Group_rank(group, &rank);
    wanted.error = guarded([&] {
      wanted.color = color_of(rank != MPI_UNDEFINED, hash_of_group(group));
      return MPI_SUCCESS;
    });
    wanted.key = rank;
  }
  return make_communicator(comm, wanted, by_mpi, made);
}

int comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
  return make_communicator_of_group(
      comm, group, tag,
      [&](MPI_Comm* place) { return below().comm_create_group(comm, group, tag, place); }, made);
}

// MPI's, which it would be wrong to give up when a member dies: MPI numbers no communicator any more before that one has
// its number.
int comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request) {
  if (!needs_guard(comm)) return below().comm_idup(comm, made, request);
  return reporting_exceptions(comm, [&] {
    if (const int error = error_at_entry(comm); error != MPI_SUCCESS) return error;
    const int error = below().comm_idup(comm, made, request);
    if (error != MPI_SUCCESS) return error;
    return watch_request("MPI_Comm_idup", members_of(comm), request);
  });
}

}  // namespace detour::shim

namespace shim = detour::shim;

DETOUR_REPLACES_MPI int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm) {
  return shim::comm_dup(comm, newcomm);
}

DETOUR_REPLACES_MPI int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm) {
  return shim::comm_dup_with_info(comm, info, newcomm);
}

DETOUR_REPLACES_MPI int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm) {
  return shim::comm_split(comm, color, key, newcomm);
}

DETOUR_REPLACES_MPI int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info,
                                            MPI_Comm* newcomm) {
  return shim::comm_split_type(comm, split_type, key, info, newcomm);
}

DETOUR_REPLACES_MPI int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) {
  return shim::comm_create(comm, group, newcomm);
}

DETOUR_REPLACES_MPI int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag,
                                              MPI_Comm* newcomm) {
  return shim::comm_create_group(comm, group, tag, newcomm);
}

DETOUR_REPLACES_MPI int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request) {
  return shim::comm_idup(comm, newcomm, request);
}
