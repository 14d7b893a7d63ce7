#include "requests/pending_request.hpp"

#include <utility>

#include "next_calls.hpp"
#include "requests/request_table.hpp"

namespace detour {
namespace {

// The error is not in the status that MPI gets to see, because MPI would take it to the error handler of
// another communicator.
int fill_status(void* state, MPI_Status* status) {
  if (const auto* known = static_cast<PendingRequest*>(state)->operation().status()) {
    *status = *known;
  } else {
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
  }
  status->MPI_ERROR = MPI_SUCCESS;
  return MPI_SUCCESS;
}

// MPI's last word about a request: the handle means something else from here on.
int forget(void* state) {
  request_table().remove(static_cast<PendingRequest*>(state)->handle());
  return MPI_SUCCESS;
}

// Collective operations can't be cancelled.
int ignore_cancel(void*, int) {
  return MPI_SUCCESS;
}

}  // namespace

int PendingRequest::start() {
  return PMPI_Grequest_start(fill_status, forget, ignore_cancel, this, &handle_);
}

void PendingRequest::take_back() {
  MPI_Request handle = handle_;
  PMPI_Grequest_complete(handle);
  PMPI_Request_free(&handle);
}

bool PendingRequest::complete_if_ended() {
  if (is_complete()) return true;
  if (!operation_->advance()) return false;
  if (!is_complete_.exchange(true, std::memory_order_acq_rel)) PMPI_Grequest_complete(handle_);
  return true;
}

int PendingRequest::release(MPI_Request* request) {
  const int error = next_calls().request_free(request);
  // MPI keeps a freed request until it is told of its end, and would wait for that at finalize.
  if (error == MPI_SUCCESS && !is_complete_.exchange(true, std::memory_order_acq_rel)) {
    PMPI_Grequest_complete(handle_);
  }
  return error;
}

int make_request(std::shared_ptr<PendingOperation> operation, MPI_Request* request) {
  const auto pending = std::make_shared<PendingRequest>(std::move(operation));
  if (const int error = pending->start(); error != MPI_SUCCESS) return error;
  try {
    request_table().add(pending);
  } catch (...) {
    pending->take_back();  // MPI would ask it things when it is gone
    throw;
  }
  *request = pending->handle();
  return MPI_SUCCESS;
}

}  // namespace detour
