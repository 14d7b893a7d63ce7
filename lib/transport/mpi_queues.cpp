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

bool is_truncation(int error) {
  int its_class = MPI_SUCCESS;
  PMPI_Error_class(error, &its_class);
  return its_class == MPI_ERR_TRUNCATE;
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
  for (std::size_t slot = 0; slot < requests_.size(); ++slot) {
    ++expected_count_;
    if (const int error = post(slot); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int MpiReceiveQueue::post(std::size_t slot) {
  buffers_.set_header(slot, {});
  has_arrived_[slot] = false;
  posted_.push_back(slot);
  return PMPI_Irecv(buffers_.wire(slot),
                    static_cast<int>(sizeof(MpiHeader) + shape_.message_bytes_max), MPI_BYTE,
                    shape_.peer, shape_.tag, shape_.comm, &requests_[slot]);
}

std::span<const std::byte> MpiReceiveQueue::peek() {
  if (posted_.empty() || !has_arrived_[posted_.front()]) return {};
  const std::size_t slot = posted_.front();
  return {buffers_.payload(slot), buffers_.header(slot).bytes};
}

int MpiReceiveQueue::release() {
  const std::size_t slot = posted_.front();
  posted_.pop_front();
  if (expected_count_ == shape_.message_count) return MPI_SUCCESS;
  ++expected_count_;
  return post(slot);
}

int MpiReceiveQueue::take_in(std::size_t slot, int error) {
  const bool is_ours = buffers_.header(slot).epoch == shape_.epoch;
  // A message of a former epoch may be larger than anything that is expected now.
  if (error != MPI_SUCCESS && (is_ours || !is_truncation(error))) return error;
  if (is_ours) {
    has_arrived_[slot] = true;
    return MPI_SUCCESS;
  }
  // It took the place of one that is still to come.
  std::erase(posted_, slot);
  return post(slot);
}

void MpiReceiveQueue::give_up() {
  if (!end_requests(requests_, Kind::receive)) buffers_.abandon();
}

}  // namespace detour
