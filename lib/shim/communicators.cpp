#include "shim/communicators.hpp"

#include "detour/detour.h"
#include "shim/below.hpp"
#include "shim/export.hpp"

namespace detour::shim {

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
  return prepare(below().comm_dup(comm, made), made);
}

int comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made) {
  return prepare(below().comm_dup_with_info(comm, info, made), made);
}

int comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  return prepare(below().comm_split(comm, color, key, made), made);
}

int comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
  return prepare(below().comm_split_type(comm, type, key, info, made), made);
}

int comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
  return prepare(below().comm_create(comm, group, made), made);
}

int comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
  return prepare(below().comm_create_group(comm, group, tag, made), made);
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
