#include "requests/failed_request.hpp"

#include <chrono>
#include <memory>

#include "pending_operation.hpp"
#include "requests/pending_request.hpp"

namespace detour {
namespace {

class FailedOperation : public PendingOperation {
 public:
  FailedOperation(MPI_Comm comm, int code) : comm_(comm), code_(code) {}

  bool advance() override { return true; }
  void rest(std::chrono::microseconds) override {}
  int error() const override { return code_; }
  MPI_Comm comm() const override { return comm_; }

 private:
  MPI_Comm comm_;
  int code_;
};

}  // namespace

int make_failed_request(MPI_Comm comm, int code, MPI_Request* request) {
  return make_request(std::make_shared<FailedOperation>(comm, code), request);
}

}  // namespace detour
