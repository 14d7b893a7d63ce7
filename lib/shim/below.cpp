#include "shim/below.hpp"

#include <dlfcn.h>

#include "next_calls.hpp"
#include "shim/guarded_forms.hpp"

namespace detour::shim {
namespace {

// Leaves PMPI's function where there is no other.
template <typename Function>
void find(Function& function, const char* name) {
  if (void* found = dlsym(RTLD_NEXT, name)) function = reinterpret_cast<Function>(found);
}

void find_own(Below& functions) {
  find(functions.init, "MPI_Init");
  find(functions.init_thread, "MPI_Init_thread");
  find(functions.query_thread, "MPI_Query_thread");
  find(functions.finalize, "MPI_Finalize");
  find(functions.abort, "MPI_Abort");
  find(functions.alloc_mem, "MPI_Alloc_mem");
  find(functions.free_mem, "MPI_Free_mem");
  find(functions.comm_dup, "MPI_Comm_dup");
  find(functions.comm_dup_with_info, "MPI_Comm_dup_with_info");
  find(functions.comm_split, "MPI_Comm_split");
  find(functions.comm_split_type, "MPI_Comm_split_type");
  find(functions.comm_create, "MPI_Comm_create");
  find(functions.comm_create_group, "MPI_Comm_create_group");
  find(functions.comm_free, "MPI_Comm_free");
  find(functions.comm_disconnect, "MPI_Comm_disconnect");
  find(functions.comm_idup, "MPI_Comm_idup");
  find(functions.cart_create, "MPI_Cart_create");
  find(functions.cart_sub, "MPI_Cart_sub");
  find(functions.graph_create, "MPI_Graph_create");
  find(functions.dist_graph_create, "MPI_Dist_graph_create");
  find(functions.dist_graph_create_adjacent, "MPI_Dist_graph_create_adjacent");
}

void find_sends(Below& functions) {
  find(functions.standard.send, "MPI_Send");
  find(functions.standard.isend, "MPI_Isend");
  find(functions.standard.init, "MPI_Send_init");
  find(functions.synchronous.send, "MPI_Ssend");
  find(functions.synchronous.isend, "MPI_Issend");
  find(functions.synchronous.init, "MPI_Ssend_init");
  find(functions.ready.send, "MPI_Rsend");
  find(functions.ready.isend, "MPI_Irsend");
  find(functions.ready.init, "MPI_Rsend_init");
  find(functions.buffered.send, "MPI_Bsend");
  find(functions.buffered.isend, "MPI_Ibsend");
  find(functions.buffered.init, "MPI_Bsend_init");
  find(functions.buffer_attach, "MPI_Buffer_attach");
  find(functions.buffer_detach, "MPI_Buffer_detach");
}

void find_receives(Below& functions) {
  find(functions.recv, "MPI_Recv");
  find(functions.irecv, "MPI_Irecv");
  find(functions.recv_init, "MPI_Recv_init");
  find(functions.sendrecv, "MPI_Sendrecv");
  find(functions.sendrecv_replace, "MPI_Sendrecv_replace");
  find(functions.probe, "MPI_Probe");
  find(functions.iprobe, "MPI_Iprobe");
  find(functions.mprobe, "MPI_Mprobe");
  find(functions.improbe, "MPI_Improbe");
  find(functions.mrecv, "MPI_Mrecv");
  find(functions.imrecv, "MPI_Imrecv");
  find(functions.start, "MPI_Start");
  find(functions.startall, "MPI_Startall");
  find(functions.cancel, "MPI_Cancel");
}

// Those that libdetour leaves to MPI, between two groups say, must not wait for the dead either.
void find_collectives(NextCalls& calls) {
#define DETOUR_PASS_ON(name, lower, upper, count) calls.lower = Guarded<collective::name>::run;
  DETOUR_OWN_COLLECTIVES(DETOUR_PASS_ON)
  DETOUR_OWN_IN_BOTH_FORMS(DETOUR_PASS_ON)
#undef DETOUR_PASS_ON
  calls.iallreduce = Guarded<collective::Allreduce>::begin;
}

void find_completions(NextCalls& calls) {
  find(calls.wait, "MPI_Wait");
  find(calls.waitall, "MPI_Waitall");
  find(calls.waitany, "MPI_Waitany");
  find(calls.waitsome, "MPI_Waitsome");
  find(calls.test, "MPI_Test");
  find(calls.testall, "MPI_Testall");
  find(calls.testany, "MPI_Testany");
  find(calls.testsome, "MPI_Testsome");
  find(calls.request_get_status, "MPI_Request_get_status");
  find(calls.request_free, "MPI_Request_free");
}

// PMPI's until the constructor below has run: another library's constructor may call MPI before.
constinit Below functions;

// Runs in every process that has this library preloaded, with MPI or without: it looks names up, no more.
[[gnu::constructor]] void find_all() {
  find_own(functions);
  find_sends(functions);
  find_receives(functions);
  find_collectives(next_calls());
  find_completions(next_calls());
}

}  // namespace

const Below& below() {
  return functions;
}

}  // namespace detour::shim
