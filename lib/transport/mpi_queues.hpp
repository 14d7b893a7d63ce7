// The two ends of a queue over MPI: windows of buffers and requests. See mpi_transport.hpp for the rules.
//
// The requests are in an array of the transport, which tests them all in one call: MPI sets those that
// are complete to null.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "transport/mpi_buffers.hpp"

namespace detour {

struct MpiQueueShape {
  MPI_Comm comm = MPI_COMM_NULL;
  int peer = MPI_PROC_NULL;
  int tag = 0;
  std::uint64_t epoch = 0;
  std::uint64_t message_count = 0;
  std::size_t message_bytes_max = 0;
};

// Methods that return an int return MPI's error.
class MpiSendQueue {
 public:
  // As many requests as there are messages in its window, all null.
  MpiSendQueue(const MpiQueueShape& shape, std::span<MPI_Request> requests);

  bool has_memory() const { return buffers_.ok(); }
  std::span<std::byte> reserve(std::size_t bytes);
  int send();
  // Whether MPI is done with all buffers.
  bool flushed() const;
  void give_up();

 private:
  std::size_t next_slot() const { return sent_count_ % requests_.size(); }

  const MpiQueueShape shape_;
  const std::span<MPI_Request> requests_;
  MpiBuffers buffers_;
  std::uint64_t sent_count_ = 0;
  std::size_t reserved_bytes_ = 0;
};

class MpiReceiveQueue {
 public:
  MpiReceiveQueue(const MpiQueueShape& shape, std::span<MPI_Request> requests);

  bool has_memory() const { return buffers_.ok(); }
  // Posts the first window of receives.
  int start();
  std::span<const std::byte> peek();
  int release();
  // A receive is complete. `error` is what MPI said of it.
  int take_in(std::size_t slot, int error);
  void give_up();

 private:
  std::size_t oldest_slot() const { return released_count_ % requests_.size(); }
  int post();

  const MpiQueueShape shape_;
  const std::span<MPI_Request> requests_;
  MpiBuffers buffers_;
  std::uint64_t posted_count_ = 0;  // slots are filled in turns, as receives are matched in order
  std::uint64_t released_count_ = 0;
  std::vector<bool> has_arrived_;  // by slot
};

}  // namespace detour
