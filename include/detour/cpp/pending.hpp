// A nonblocking operation that may still be under way.
#pragma once

#include <utility>

#include "detour/cpp/error.hpp"
#include "detour/cpp/result.hpp"
#include "detour/detour.h"

namespace detour {
inline namespace cpp {

// What iallreduce gives. Its buffers belong to the operation until it is complete, and so destroying this, or
// assigning to it, waits for that. An empty one is complete.
class [[nodiscard]] Pending {
 public:
  Pending() = default;
  // Takes over a request that Detour_Wait can complete.
  explicit Pending(MPI_Request request) : request_(request) {}

  Pending(Pending&& other) noexcept : request_(std::exchange(other.request_, MPI_REQUEST_NULL)) {}
  Pending& operator=(Pending&& other) noexcept {
    if (this != &other) {
      finish();
      request_ = std::exchange(other.request_, MPI_REQUEST_NULL);
    }
    return *this;
  }
  ~Pending() { finish(); }

  // Returns when the operation is complete; throws Error if it failed.
  void wait() { throw_if(try_wait(), "wait"); }
  std::error_code try_wait() { return make_error_code(Detour_Wait(&request_, MPI_STATUS_IGNORE)); }

  // Whether the operation is complete; never waits. Throws Error if it failed.
  bool test() {
    bool complete = false;
    throw_if(try_test(complete), "test");
    return complete;
  }
  std::error_code try_test(bool& complete) {
    int flag = 0;
    const int error = Detour_Test(&request_, &flag, MPI_STATUS_IGNORE);
    complete = flag != 0;
    return make_error_code(error);
  }

  // Waits for the end, and tells whose data is in the result; throws Error if the operation failed. Before wait() or
  // test() has found it complete.
  Result result() const {
    Detour_Result result{};
    throw_if(make_error_code(Detour_Request_result(request_, &result)), "result");
    return result_of(result);
  }

  // For lists with other requests, to be completed by Detour_Waitall and its like. The caller owns it from
  // then on.
  MPI_Request release() { return std::exchange(request_, MPI_REQUEST_NULL); }

 private:
  // An error has nobody to hear of it here.
  void finish() noexcept {
    if (request_ != MPI_REQUEST_NULL) Detour_Wait(&request_, MPI_STATUS_IGNORE);
  }

  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace cpp
}  // namespace detour
