// Messages between two ranks, for Fortran.
#include "shim/p2p/point_to_point.hpp"

#include <mpi.h>

#include "shim/fortran/arguments.hpp"
#include "shim/fortran/names.hpp"
#include "shim/p2p/buffered_sends.hpp"
#include "shim/reporting_exceptions.hpp"

using namespace detour::shim;

namespace {

// `make(&request)` for all that give a request.
template <typename Make>
void store_made(MPI_Fint* request, MPI_Fint* error, const Make& make) {
  MPI_Request made = MPI_REQUEST_NULL;
  const int result = make(&made);
  if (result == MPI_SUCCESS) *request = PMPI_Request_c2f(made);
  store_error(error, result);
}

// `look(&status)` for all that tell of a message.
template <typename Look>
void store_found(MPI_Fint* status, MPI_Fint* error, const Look& look) {
  store_error(error, reporting_exceptions([&] {
                Statuses statuses(status, 1);
                const int result = look(statuses.get());
                statuses.store();
                return result;
              }));
}

}  // namespace

// One way of sending in its three forms. What comes last is the first argument of all calls, if any.
#define DETOUR_FORTRAN_SENDS(send, SEND, isend, ISEND, init, INIT, send_call, isend_call,          \
                             init_call, ...)                                                       \
  DETOUR_FORTRAN(                                                                                  \
      send, SEND,                                                                                  \
      (const void* buffer, const MPI_Fint* count, const MPI_Fint* type, const MPI_Fint* dest,      \
       const MPI_Fint* tag, const MPI_Fint* comm, MPI_Fint* error)) {                              \
    store_error(error, send_call(__VA_ARGS__ __VA_OPT__(, ) buffer_of(buffer), *count,             \
                                 type_of(type), *dest, *tag, comm_of(comm)));                      \
  }                                                                                                \
  DETOUR_FORTRAN(                                                                                  \
      isend, ISEND,                                                                                \
      (const void* buffer, const MPI_Fint* count, const MPI_Fint* type, const MPI_Fint* dest,      \
       const MPI_Fint* tag, const MPI_Fint* comm, MPI_Fint* request, MPI_Fint* error)) {           \
    store_made(request, error, [&](MPI_Request* made) {                                            \
      return isend_call(__VA_ARGS__ __VA_OPT__(, ) buffer_of(buffer), *count, type_of(type),       \
                        *dest, *tag, comm_of(comm), made);                                         \
    });                                                                                            \
  }                                                                                                \
  DETOUR_FORTRAN(                                                                                  \
      init, INIT,                                                                                  \
      (const void* buffer, const MPI_Fint* count, const MPI_Fint* type, const MPI_Fint* dest,      \
       const MPI_Fint* tag, const MPI_Fint* comm, MPI_Fint* request, MPI_Fint* error)) {           \
    store_made(request, error, [&](MPI_Request* made) {                                            \
      return init_call(__VA_ARGS__ __VA_OPT__(, ) buffer_of(buffer), *count, type_of(type), *dest, \
                       *tag, comm_of(comm), made);                                                 \
    });                                                                                            \
  }

DETOUR_FORTRAN_SENDS(mpi_send, MPI_SEND, mpi_isend, MPI_ISEND, mpi_send_init, MPI_SEND_INIT, send,
                     isend, send_init, below().standard)
DETOUR_FORTRAN_SENDS(mpi_ssend, MPI_SSEND, mpi_issend, MPI_ISSEND, mpi_ssend_init, MPI_SSEND_INIT,
                     send, isend, send_init, below().synchronous)
DETOUR_FORTRAN_SENDS(mpi_rsend, MPI_RSEND, mpi_irsend, MPI_IRSEND, mpi_rsend_init, MPI_RSEND_INIT,
                     send, isend, send_init, below().ready)
DETOUR_FORTRAN_SENDS(mpi_bsend, MPI_BSEND, mpi_ibsend, MPI_IBSEND, mpi_bsend_init, MPI_BSEND_INIT,
                     bsend, ibsend, bsend_init)

DETOUR_FORTRAN(mpi_buffer_attach, MPI_BUFFER_ATTACH,
               (void* buffer, const MPI_Fint* bytes, MPI_Fint* error)) {
  store_error(error, buffer_attach(buffer, *bytes));
}

// Only mpi_f08 gets the address of the buffer back.
DETOUR_FORTRAN_BUT_F08(mpi_buffer_detach, MPI_BUFFER_DETACH,
                       (void*, MPI_Fint* bytes, MPI_Fint* error)) {
  void* buffer = nullptr;
  store_error(error, buffer_detach(&buffer, bytes));
}
DETOUR_FORTRAN_F08(mpi_buffer_detach, (void** buffer, MPI_Fint* bytes, MPI_Fint* error)) {
  store_error(error, buffer_detach(buffer, bytes));
}

DETOUR_FORTRAN(mpi_recv, MPI_RECV,
               (void* buffer, const MPI_Fint* count, const MPI_Fint* type, const MPI_Fint* source,
                const MPI_Fint* tag, const MPI_Fint* comm, MPI_Fint* status, MPI_Fint* error)) {
  store_found(status, error, [&](MPI_Status* found) {
    return recv(buffer_of(buffer), *count, type_of(type), *source, *tag, comm_of(comm), found);
  });
}

DETOUR_FORTRAN(mpi_irecv, MPI_IRECV,
               (void* buffer, const MPI_Fint* count, const MPI_Fint* type, const MPI_Fint* source,
                const MPI_Fint* tag, const MPI_Fint* comm, MPI_Fint* request, MPI_Fint* error)) {
  store_made(request, error, [&](MPI_Request* made) {
    return irecv(buffer_of(buffer), *count, type_of(type), *source, *tag, comm_of(comm), made);
  });
}

DETOUR_FORTRAN(mpi_recv_init, MPI_RECV_INIT,
               (void* buffer, const MPI_Fint* count, const MPI_Fint* type, const MPI_Fint* source,
                const MPI_Fint* tag, const MPI_Fint* comm, MPI_Fint* request, MPI_Fint* error)) {
  store_made(request, error, [&](MPI_Request* made) {
    return recv_init(buffer_of(buffer), *count, type_of(type), *source, *tag, comm_of(comm), made);
  });
}

DETOUR_FORTRAN(mpi_start, MPI_START, (const MPI_Fint* request, MPI_Fint* error)) {
  MPI_Request handle = PMPI_Request_f2c(*request);
  store_error(error, start(&handle));
}

DETOUR_FORTRAN(mpi_startall, MPI_STARTALL,
               (const MPI_Fint* count, MPI_Fint* array, MPI_Fint* error)) {
  store_error(error, reporting_exceptions([&] {
                Requests requests(array, *count);
                return startall(*count, requests.get());
              }));
}

DETOUR_FORTRAN(mpi_sendrecv, MPI_SENDRECV,
               (const void* sendbuf, const MPI_Fint* sendcount, const MPI_Fint* sendtype,
                const MPI_Fint* dest, const MPI_Fint* sendtag, void* recvbuf,
                const MPI_Fint* recvcount, const MPI_Fint* recvtype, const MPI_Fint* source,
                const MPI_Fint* recvtag, const MPI_Fint* comm, MPI_Fint* status, MPI_Fint* error)) {
  store_found(status, error, [&](MPI_Status* found) {
    return sendrecv(buffer_of(sendbuf), *sendcount, type_of(sendtype), *dest, *sendtag,
                    buffer_of(recvbuf), *recvcount, type_of(recvtype), *source, *recvtag,
                    comm_of(comm), found);
  });
}

DETOUR_FORTRAN(mpi_sendrecv_replace, MPI_SENDRECV_REPLACE,
               (void* buffer, const MPI_Fint* count, const MPI_Fint* type, const MPI_Fint* dest,
                const MPI_Fint* sendtag, const MPI_Fint* source, const MPI_Fint* recvtag,
                const MPI_Fint* comm, MPI_Fint* status, MPI_Fint* error)) {
  store_found(status, error, [&](MPI_Status* found) {
    return sendrecv_replace(buffer_of(buffer), *count, type_of(type), *dest, *sendtag, *source,
                            *recvtag, comm_of(comm), found);
  });
}

DETOUR_FORTRAN(mpi_probe, MPI_PROBE,
               (const MPI_Fint* source, const MPI_Fint* tag, const MPI_Fint* comm, MPI_Fint* status,
                MPI_Fint* error)) {
  store_found(status, error,
              [&](MPI_Status* found) { return probe(*source, *tag, comm_of(comm), found); });
}

DETOUR_FORTRAN(mpi_iprobe, MPI_IPROBE,
               (const MPI_Fint* source, const MPI_Fint* tag, const MPI_Fint* comm, MPI_Fint* flag,
                MPI_Fint* status, MPI_Fint* error)) {
  int is_there = 0;
  store_found(status, error, [&](MPI_Status* found) {
    return iprobe(*source, *tag, comm_of(comm), &is_there, found);
  });
  store_flag(flag, is_there);
}

DETOUR_FORTRAN(mpi_mprobe, MPI_MPROBE,
               (const MPI_Fint* source, const MPI_Fint* tag, const MPI_Fint* comm,
                MPI_Fint* message, MPI_Fint* status, MPI_Fint* error)) {
  MPI_Message taken = MPI_MESSAGE_NULL;
  store_found(status, error, [&](MPI_Status* found) {
    return mprobe(*source, *tag, comm_of(comm), &taken, found);
  });
  *message = PMPI_Message_c2f(taken);
}

DETOUR_FORTRAN(mpi_improbe, MPI_IMPROBE,
               (const MPI_Fint* source, const MPI_Fint* tag, const MPI_Fint* comm, MPI_Fint* flag,
                MPI_Fint* message, MPI_Fint* status, MPI_Fint* error)) {
  MPI_Message taken = MPI_MESSAGE_NULL;
  int is_there = 0;
  store_found(status, error, [&](MPI_Status* found) {
    return improbe(*source, *tag, comm_of(comm), &is_there, &taken, found);
  });
  store_flag(flag, is_there);
  if (is_there != 0) *message = PMPI_Message_c2f(taken);
}

DETOUR_FORTRAN(mpi_mrecv, MPI_MRECV,
               (void* buffer, const MPI_Fint* count, const MPI_Fint* type, MPI_Fint* message,
                MPI_Fint* status, MPI_Fint* error)) {
  MPI_Message taken = PMPI_Message_f2c(*message);
  store_found(status, error, [&](MPI_Status* found) {
    return mrecv(buffer_of(buffer), *count, type_of(type), &taken, found);
  });
  *message = PMPI_Message_c2f(taken);
}

DETOUR_FORTRAN(mpi_imrecv, MPI_IMRECV,
               (void* buffer, const MPI_Fint* count, const MPI_Fint* type, MPI_Fint* message,
                MPI_Fint* request, MPI_Fint* error)) {
  MPI_Message taken = PMPI_Message_f2c(*message);
  store_made(request, error, [&](MPI_Request* made) {
    return imrecv(buffer_of(buffer), *count, type_of(type), &taken, made);
  });
  *message = PMPI_Message_c2f(taken);
}

DETOUR_FORTRAN(mpi_comm_free, MPI_COMM_FREE, (MPI_Fint * comm, MPI_Fint* error)) {
  MPI_Comm freed = comm_of(comm);
  store_error(error, comm_free(&freed));
  *comm = PMPI_Comm_c2f(freed);
}
