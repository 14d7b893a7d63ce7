// The functions behind ours: those of MPI, or of a tool that was loaded after this library and calls
// MPI in its turn. What the library itself passes on is in next_calls.hpp.
#pragma once

#include <mpi.h>

namespace detour::shim {

// Of one way of sending: all four have the same forms.
struct SendCalls {
  decltype(&PMPI_Send) send;
  decltype(&PMPI_Isend) isend;
  decltype(&PMPI_Send_init) init;
};

struct Below {
  decltype(&PMPI_Init) init = PMPI_Init;
  decltype(&PMPI_Init_thread) init_thread = PMPI_Init_thread;
  decltype(&PMPI_Query_thread) query_thread = PMPI_Query_thread;
  decltype(&PMPI_Finalize) finalize = PMPI_Finalize;
  decltype(&PMPI_Abort) abort = PMPI_Abort;
  decltype(&PMPI_Alloc_mem) alloc_mem = PMPI_Alloc_mem;
  decltype(&PMPI_Free_mem) free_mem = PMPI_Free_mem;
  decltype(&PMPI_Comm_dup) comm_dup = PMPI_Comm_dup;
  decltype(&PMPI_Comm_dup_with_info) comm_dup_with_info = PMPI_Comm_dup_with_info;
  decltype(&PMPI_Comm_split) comm_split = PMPI_Comm_split;
  decltype(&PMPI_Comm_split_type) comm_split_type = PMPI_Comm_split_type;
  decltype(&PMPI_Comm_create) comm_create = PMPI_Comm_create;
  decltype(&PMPI_Comm_create_group) comm_create_group = PMPI_Comm_create_group;
  decltype(&PMPI_Comm_free) comm_free = PMPI_Comm_free;
  decltype(&PMPI_Comm_disconnect) comm_disconnect = PMPI_Comm_disconnect;
  decltype(&PMPI_Comm_idup) comm_idup = PMPI_Comm_idup;
  decltype(&PMPI_Cart_create) cart_create = PMPI_Cart_create;
  decltype(&PMPI_Cart_sub) cart_sub = PMPI_Cart_sub;
  decltype(&PMPI_Graph_create) graph_create = PMPI_Graph_create;
  decltype(&PMPI_Dist_graph_create) dist_graph_create = PMPI_Dist_graph_create;
  decltype(&PMPI_Dist_graph_create_adjacent) dist_graph_create_adjacent =
      PMPI_Dist_graph_create_adjacent;

  SendCalls standard{PMPI_Send, PMPI_Isend, PMPI_Send_init};
  SendCalls synchronous{PMPI_Ssend, PMPI_Issend, PMPI_Ssend_init};
  SendCalls ready{PMPI_Rsend, PMPI_Irsend, PMPI_Rsend_init};
  SendCalls buffered{PMPI_Bsend, PMPI_Ibsend, PMPI_Bsend_init};
  decltype(&PMPI_Buffer_attach) buffer_attach = PMPI_Buffer_attach;
  decltype(&PMPI_Buffer_detach) buffer_detach = PMPI_Buffer_detach;
  decltype(&PMPI_Recv) recv = PMPI_Recv;
  decltype(&PMPI_Irecv) irecv = PMPI_Irecv;
  decltype(&PMPI_Recv_init) recv_init = PMPI_Recv_init;
  decltype(&PMPI_Sendrecv) sendrecv = PMPI_Sendrecv;
  decltype(&PMPI_Sendrecv_replace) sendrecv_replace = PMPI_Sendrecv_replace;
  decltype(&PMPI_Probe) probe = PMPI_Probe;
  decltype(&PMPI_Iprobe) iprobe = PMPI_Iprobe;
  decltype(&PMPI_Mprobe) mprobe = PMPI_Mprobe;
  decltype(&PMPI_Improbe) improbe = PMPI_Improbe;
  decltype(&PMPI_Mrecv) mrecv = PMPI_Mrecv;
  decltype(&PMPI_Imrecv) imrecv = PMPI_Imrecv;
  decltype(&PMPI_Start) start = PMPI_Start;
  decltype(&PMPI_Startall) startall = PMPI_Startall;
  decltype(&PMPI_Cancel) cancel = PMPI_Cancel;
};

// Found when the library is loaded, before any of them can be called.
const Below& below();

}  // namespace detour::shim
