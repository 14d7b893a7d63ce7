#include "shim/fallible/failed_request.hpp"

#include <chrono>
#include <memory>

#include "core/dead_ranks.hpp"
#include "pending_operation.hpp"
#include "requests/pending_request.hpp"

namespace detour::shim {
namespace {

class FailedOperation final : public PendingOperation {
 public:
  FailedOperation(MPI_Comm comm, int code) : comm_(comm), code_(code) {}

  bool advance() override { return true; }
  void rest(std::chrono::microseconds) override {}
  int error() const override { return code_; }
  MPI_Comm comm() const override { return comm_; }
  void tell_others_of_error(MPI_Comm comm) const override { end_job_if_fatal(comm, code_); }

 private:
  MPI_Comm comm_;
  int code_;
};

}  // namespace

int make_failed_request(MPI_Comm comm, int code, MPI_Request* request) {
  return make_request(std::make_shared<FailedOperation>(comm, code), request);
}

void take_back_failed_request(MPI_Request request) {
  PMPI_Grequest_complete(request);
  PMPI_Request_free(&request);
}

}  // namespace detour::shim
