#include "transport/mpi_queues.hpp"

#include <algorithm>
#include <stdexcept>

namespace detour {
namespace {

enum class Kind { send, receive };

// Ends requests of an attempt that was given up. False if MPI may still use a buffer of theirs.
bool end_requests(std::span<MPI_Request> requests, Kind kind) {
  bool all_ended = true;
  for (MPI_Request& request : requests) {
    if (request == MPI_REQUEST_NULL) continue;
    // Open MPI can't cancel sends. A receive that was not matched is complete once it is cancelled.
    if (kind == Kind::receive) PMPI_Cancel(&request);
    int is_complete = 0;
    PMPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
    if (is_complete) continue;
    all_ended = false;
    if (request != MPI_REQUEST_NULL) PMPI_Request_free(&request);
  }
  return all_ended;
}

}  // namespace

MpiSendQueue::MpiSendQueue(const MpiQueueShape& shape, std::span<MPI_Request> requests)
    : shape_(shape), requests_(requests), buffers_(requests.size(), shape.message_bytes_max) {}

std::span<std::byte> MpiSendQueue::reserve(std::size_t bytes) {
  if (sent_count_ == shape_.message_count || bytes > shape_.message_bytes_max) {
    throw std::logic_error("a message that the program does not speak of");
  }
  if (requests_[next_slot()] != MPI_REQUEST_NULL) return {};
  reserved_bytes_ = bytes;
  return {buffers_.payload(next_slot()), bytes};
}

int MpiSendQueue::send() {
  const std::size_t slot = next_slot();
  buffers_.set_header(slot, {shape_.epoch, reserved_bytes_});
  const bool buffer_is_wanted_again = sent_count_ + requests_.size() < shape_.message_count;
  ++sent_count_;
  const auto start = buffer_is_wanted_again ? PMPI_Issend : PMPI_Isend;
  return start(buffers_.wire(slot), static_cast<int>(sizeof(MpiHeader) + reserved_bytes_), MPI_BYTE,
               shape_.peer, shape_.tag, shape_.comm, &requests_[slot]);
}

bool MpiSendQueue::flushed() const {
  return std::all_of(requests_.begin(), requests_.end(),
                     [](MPI_Request request) { return request == MPI_REQUEST_NULL; });
}

void MpiSendQueue::give_up() {
  if (!end_requests(requests_, Kind::send)) buffers_.abandon();
}

MpiReceiveQueue::MpiReceiveQueue(const MpiQueueShape& shape, std::span<MPI_Request> requests)
    : shape_(shape),
      requests_(requests),
      buffers_(requests.size(), shape.message_bytes_max),
      has_arrived_(requests.size()) {}

int MpiReceiveQueue::start() {
  for (std::size_t count = 0; count < requests_.size(); ++count) {
    if (const int error = post(); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int MpiReceiveQueue::post() {
  const std::size_t slot = posted_count_ % requests_.size();
  ++posted_count_;
  return PMPI_Irecv(buffers_.wire(slot),
                    static_cast<int>(sizeof(MpiHeader) + shape_.message_bytes_max), MPI_BYTE,
                    shape_.peer, shape_.tag, shape_.comm, &requests_[slot]);
}

std::span<const std::byte> MpiReceiveQueue::peek() {
  const std::size_t slot = oldest_slot();
  if (!has_arrived_[slot]) return {};
  return {buffers_.payload(slot), buffers_.header(slot).bytes};
}

int MpiReceiveQueue::release() {
  has_arrived_[oldest_slot()] = false;
  ++released_count_;
  return posted_count_ < shape_.message_count ? post() : MPI_SUCCESS;
}

int MpiReceiveQueue::take_in(std::size_t slot, int error) {
  if (error != MPI_SUCCESS) return error;
  const MpiHeader header = buffers_.header(slot);
  if (header.epoch != shape_.epoch || header.bytes > shape_.message_bytes_max) {
    return MPI_ERR_INTERN;
  }
  has_arrived_[slot] = true;
  return MPI_SUCCESS;
}

void MpiReceiveQueue::give_up() {
  if (!end_requests(requests_, Kind::receive)) buffers_.abandon();
}

}  // namespace detour
