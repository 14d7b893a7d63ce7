// The functions behind ours: those of MPI, or of a tool that was loaded after this library and calls
// MPI in its turn. What the library itself passes on is in next_calls.hpp.
#pragma once

#include <mpi.h>

namespace detour::shim {

struct Below {
  decltype(&PMPI_Init) init = PMPI_Init;
  decltype(&PMPI_Init_thread) init_thread = PMPI_Init_thread;
  decltype(&PMPI_Query_thread) query_thread = PMPI_Query_thread;
  decltype(&PMPI_Finalize) finalize = PMPI_Finalize;
  decltype(&PMPI_Comm_dup) comm_dup = PMPI_Comm_dup;
  decltype(&PMPI_Comm_dup_with_info) comm_dup_with_info = PMPI_Comm_dup_with_info;
  decltype(&PMPI_Comm_split) comm_split = PMPI_Comm_split;
  decltype(&PMPI_Comm_split_type) comm_split_type = PMPI_Comm_split_type;
  decltype(&PMPI_Comm_create) comm_create = PMPI_Comm_create;
  decltype(&PMPI_Comm_create_group) comm_create_group = PMPI_Comm_create_group;
};

// Found when the library is loaded, before any of them can be called.
const Below& below();

}  // namespace detour::shim
