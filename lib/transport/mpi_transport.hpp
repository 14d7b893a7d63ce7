// Queues over MPI point-to-point messages, for one attempt at an operation.
//
// Receiving: a window of receives is posted from the start, and one more whenever a message is released,
// in all exactly as many as there will be messages. So nothing is left over when all went well, and
// messages of the next operation wait inside MPI until it has begun here.
//
// Sending: a window of buffers, used in turns. A message whose buffer is wanted again later is sent
// synchronously, the last window of them plainly. So message n is posted only after message
// n - window has been matched, and with it all before (MPI keeps the order): no more than a window of
// messages ever waits unmatched at the receiver, and an operation of few messages pays no handshake. What
// several operations in a row may pile up is limited by whoever runs them.
//
// Epochs: each has tags of its own, so that no receive meets a message of another one. Dropping such messages
// after they came would be too late: a message of a later epoch would be lost, and where a message is
// longer than the receive that it meets, Open MPI 4.1 writes all of it (over TCP, and in shared memory
// with CMA), past the end of the buffer. What a given-up attempt has sent stays inside MPI. Tags come
// round again after as many epochs as the route has pairs of them: a communicator in which messages stayed
// behind has to be given another route by then. As a safeguard messages say their epoch, and a wrong one is
// an error.
//
// For one thread at a time. Only PMPI_ functions are called, and none that waits.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collectives/transport.hpp"
#include "detour/routing/api.hpp"
#include "transport/mpi_queues.hpp"

namespace detour {

struct MpiRoute {
  MPI_Comm comm = MPI_COMM_NULL;  // the library's own, which returns errors
  // Tags that are this communicator's own. At least 2; the more, the better (see above).
  int tag_base = 0;
  int tag_count = 0;
  // By rank of the program: its rank in `comm`; MPI_PROC_NULL if other means lead there.
  std::vector<int> comm_ranks;
};

// How many tags there are, from 0 on.
DETOUR_API int available_tag_count();

class DETOUR_API MpiTransport final : public Transport {
 public:
  // Gets all memory that the operation needs and posts its receives: look at error() before the other
  // ranks are told to start.
  MpiTransport(const MpiRoute& route, const Program& program, std::size_t message_bytes_max,
               std::uint64_t epoch);

  // After an attempt that was given up: cancels what can be cancelled. What can't keeps its buffer for
  // ever, and so does a message to a rank that will never receive it.
  ~MpiTransport() override;
  MpiTransport(const MpiTransport&) = delete;
  MpiTransport& operator=(const MpiTransport&) = delete;

  std::span<std::byte> reserve(Rank to, Lane lane, std::size_t bytes) override;
  void send(Rank to, Lane lane) override;
  std::span<const std::byte> peek(Rank from, Lane lane) override;
  void release(Rank from, Lane lane) override;
  bool flushed() override;

  // Lets MPI get on with its work, once round. The methods above do so when they would have to say no.
  void poll();

  // MPI_SUCCESS, or the first error that MPI told of (MPI_ERR_NO_MEM too if there was no memory). After
  // an error nothing moves any more.
  int error() const { return error_; }

 private:
  // Whose a request is: of a queue that receives, or of none for a send.
  struct Owner {
    MpiReceiveQueue* queue = nullptr;
    std::size_t slot = 0;
  };

  bool is_carried(const Link& link) const;
  MpiQueueShape shape_of(const Link& link, std::size_t message_bytes_max) const;
  void make_room_for_requests(const Program& program);
  void own_requests(MpiReceiveQueue& queue, std::span<const MPI_Request> window);
  void note(int error);  // keeps the first one

  const MpiRoute route_;
  const std::uint64_t epoch_;
  int error_ = MPI_SUCCESS;
  std::vector<MPI_Request> requests_;  // of all queues, one window after the other
  std::vector<Owner> owners_;          // by request
  std::vector<int> completed_;         // room for what MPI answers to a test of all of them
  std::vector<MPI_Status> statuses_;
  // By peer and lane. Their addresses are kept in owners_: no more are added once they are made.
  std::vector<std::optional<MpiSendQueue>> sends_;
  std::vector<std::optional<MpiReceiveQueue>> receives_;
};

}  // namespace detour
