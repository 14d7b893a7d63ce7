#include "shim/fallible/matched_source.hpp"

#include <cstddef>
#include <cstring>

#include "core/own_comm.hpp"
#include "log.hpp"

namespace detour::shim {
namespace {

// A receive's request has several times as many bytes.
constexpr std::size_t searched_bytes = 256;

const std::byte* bytes_of(MPI_Request request) {
  return reinterpret_cast<const std::byte*>(request);
}

MPI_Status status_at(MPI_Request request, std::size_t offset) {
  MPI_Status status;
  std::memcpy(&status, bytes_of(request) + offset, sizeof status);
  return status;
}

// The tag of the status stays open until a message is found.
bool is_matched(const MPI_Status& status) {
  return status.MPI_TAG != MPI_ANY_TAG;
}

// Receives a message from this process by a request of unknown source and tag: neither is anywhere in it but
// in the status. Leaves the request to be looked at, with the status that MPI shows of it.
class SelfReceive {
 public:
  SelfReceive() { PMPI_Irecv(&number_, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &request_); }
  ~SelfReceive() {
    PMPI_Wait(&request_, MPI_STATUS_IGNORE);
    PMPI_Comm_free(&comm_);
  }
  SelfReceive(const SelfReceive&) = delete;
  SelfReceive& operator=(const SelfReceive&) = delete;

  // Once.
  MPI_Status finish() {
    constexpr int tag = 23917;
    const int one = 1;
    PMPI_Send(&one, 1, MPI_INT, 0, tag, comm_);
    MPI_Status status{};  // of which MPI does not set the error
    for (int has_ended = 0; has_ended == 0;) {
      PMPI_Request_get_status(request_, &has_ended, &status);
    }
    return status;
  }

  MPI_Request request() const { return request_; }

 private:
  MPI_Comm comm_ = make_own_comm(MPI_COMM_SELF);
  MPI_Request request_ = MPI_REQUEST_NULL;
  int number_ = 0;
};

std::optional<std::size_t> find_status(MPI_Request request, const MPI_Status& status) {
  for (std::size_t offset = 0; offset + sizeof status <= searched_bytes; offset += sizeof(int)) {
    if (std::memcmp(bytes_of(request) + offset, &status, sizeof status) == 0) return offset;
  }
  return std::nullopt;
}

// Found in one request, tried on another.
std::optional<std::size_t> find_offset() {
  std::optional<std::size_t> offset;
  {
    SelfReceive first;
    const MPI_Status status = first.finish();
    offset = find_status(first.request(), status);
  }
  SelfReceive second;
  const bool was_matched = offset && is_matched(status_at(second.request(), *offset));
  const MPI_Status status = second.finish();
  const bool is_right =
      offset && !was_matched &&
      std::memcmp(bytes_of(second.request()) + *offset, &status, sizeof status) == 0;
  if (is_right) return offset;
  log(LogLevel::warn,
      "this MPI does not show whose message is coming in: a receive from MPI_ANY_SOURCE waits for "
      "ever if its "
      "sender dies in the middle of a message");
  return std::nullopt;
}

}  // namespace

std::optional<int> matched_source(MPI_Request receive) {
  static const std::optional<std::size_t> offset = find_offset();
  if (!offset) return std::nullopt;
  const MPI_Status status = status_at(receive, *offset);
  if (!is_matched(status)) return std::nullopt;
  return status.MPI_SOURCE;
}

}  // namespace detour::shim
