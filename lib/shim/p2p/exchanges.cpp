// MPI_Sendrecv and its like.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/dead_ranks.hpp"
#include "mpi/packing.hpp"
#include "next_calls.hpp"
#include "shim/export.hpp"
#include "shim/fallible/doom.hpp"
#include "shim/p2p/ending.hpp"
#include "shim/p2p/packed_bytes.hpp"
#include "shim/p2p/point_to_point.hpp"
#include "shim/reporting_exceptions.hpp"

namespace detour::shim {
namespace {

// The two halves of an exchange. Which failed tells who has died.
struct Halves {
  MPI_Comm comm = MPI_COMM_NULL;
  int dest = MPI_PROC_NULL;
  int source = MPI_PROC_NULL;
  MPI_Request send = MPI_REQUEST_NULL;  // none: the receiver was dead already
  MPI_Request receive = MPI_REQUEST_NULL;
  std::optional<int> send_failure;
};

// Waits for both, the send first: MPI works on both meanwhile.
int finish(Halves& halves, MPI_Status* status) {
  const MPI_Comm comm = halves.comm;
  if (!halves.send_failure) {
    halves.send_failure = failure_of(halves.send, FallibleRequest::send_to(comm, halves.dest));
  }
  const auto receive_failure =
      failure_of(halves.receive, FallibleRequest::receive_from(comm, halves.source));
  int send_error = MPI_SUCCESS;
  int receive_error = MPI_SUCCESS;
  if (!halves.send_failure) send_error = next_calls().wait(&halves.send, MPI_STATUS_IGNORE);
  if (!receive_failure) receive_error = next_calls().wait(&halves.receive, status);
  if (receive_failure) set_failed(status, *receive_failure);
  if (const auto failure = receive_failure ? receive_failure : halves.send_failure) {
    return report_process_failed(comm, *failure);
  }
  return receive_error != MPI_SUCCESS ? receive_error : send_error;
}

// The send did not get as far as that.
int take_back(MPI_Request receive, int error) {
  PMPI_Cancel(&receive);
  PMPI_Request_free(&receive);
  return error;
}

// Nothing if it makes no sense, for MPI to refuse. Null is an address only where the datatype has absolute ones.
std::optional<Layout> layout_of_data(const void* buffer, int count, MPI_Datatype type) {
  if (count < 0 || type == MPI_DATATYPE_NULL) return std::nullopt;
  Layout layout = layout_of(type, count);
  if (layout.packed_bytes() > 0 && layout.first_byte(buffer) == nullptr) return std::nullopt;
  return layout;
}

}  // namespace

int sendrecv(const void* send_buffer, int send_count, MPI_Datatype send_type, int dest,
             int send_tag, void* receive_buffer, int receive_count, MPI_Datatype receive_type,
             int source, int receive_tag, MPI_Comm comm, MPI_Status* status) {
  return reporting_exceptions(comm, [&] {
    if (!deaths_are_noticed()) {
      return below().sendrecv(send_buffer, send_count, send_type, dest, send_tag, receive_buffer,
                              receive_count, receive_type, source, receive_tag, comm, status);
    }
    Halves halves;
    halves.comm = comm;
    halves.dest = dest;
    halves.source = source;
    int error = below().irecv(receive_buffer, receive_count, receive_type, source, receive_tag,
                              comm, &halves.receive);
    if (error != MPI_SUCCESS) return error;
    if (is_dead(comm, dest)) {
      halves.send_failure = process_failed_code(dest);
    } else {
      error = below().standard.isend(send_buffer, send_count, send_type, dest, send_tag, comm,
                                     &halves.send);
      if (error != MPI_SUCCESS) return take_back(halves.receive, error);
    }
    return finish(halves, status);
  });
}

// What is sent has to be out of the way first. To the dead it is lost, and where nobody knows how far the call
// got: MPI may still read it.
int sendrecv_replace(void* buffer, int count, MPI_Datatype type, int dest, int send_tag, int source,
                     int receive_tag, MPI_Comm comm, MPI_Status* status) {
  return reporting_exceptions(comm, [&] {
    const auto layout = deaths_are_noticed() ? layout_of_data(buffer, count, type) : std::nullopt;
    if (!layout) {
      return below().sendrecv_replace(buffer, count, type, dest, send_tag, source, receive_tag,
                                      comm, status);
    }
    auto packed = std::make_unique_for_overwrite<std::byte[]>(layout->packed_bytes());
    layout->pack(buffer, packed.get());
    const PackedArguments sent(layout->packed_bytes());
    const std::uint64_t deaths_before = death_count();
    const int error = sendrecv(packed.get(), sent.count(), sent.type(), dest, send_tag, buffer,
                               count, type, source, receive_tag, comm, status);
    const bool is_unclear = error == MPI_ERR_NO_MEM || error == MPI_ERR_INTERN;
    if (death_count() != deaths_before || is_unclear) keep_for_ever(std::move(packed));
    return error;
  });
}

}  // namespace detour::shim

namespace shim = detour::shim;

DETOUR_REPLACES_MPI int MPI_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                     int dest, int sendtag, void* recvbuf, int recvcount,
                                     MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                                     MPI_Status* status) {
  return shim::sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                        source, recvtag, comm, status);
}

DETOUR_REPLACES_MPI int MPI_Sendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dest,
                                             int sendtag, int source, int recvtag, MPI_Comm comm,
                                             MPI_Status* status) {
  return shim::sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, status);
}
