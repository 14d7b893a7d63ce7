// Which of the program's handles are requests of the library's.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "detour/routing/api.hpp"
#include "pending_operation.hpp"
#include "requests/pending_request.hpp"

namespace detour {

// Safe for any number of threads. MPI is never called under the lock: it calls back to remove entries.
class RequestTable {
 public:
  // One load: what programs pay that have no such requests. Relaxed is enough: a thread that holds a handle
  // got it from the thread that added it, so it sees that addition, and nothing removes it meanwhile.
  bool is_empty() const { return count_.load(std::memory_order_relaxed) == 0; }

  void add(std::shared_ptr<PendingRequest> request);
  void remove(MPI_Request handle);

  // Null for a handle that is not ours.
  std::shared_ptr<PendingRequest> find(MPI_Request handle) const;

  // All of a list under one lock, in the order of the list.
  struct Listed {
    int index = 0;
    std::shared_ptr<PendingRequest> request;
  };
  std::vector<Listed> find_all(int count, const MPI_Request handles[]) const;

  // Operations whose handles the program has let go of: kept, and advanced with every later call, until
  // they end.
  void adopt(std::shared_ptr<PendingOperation> operation);
  void advance_adopted();

  // Before a communicator is freed: its requests stay ours.
  DETOUR_API void forget_communicator(MPI_Comm comm) noexcept;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<MPI_Request, std::shared_ptr<PendingRequest>> requests_;
  std::vector<std::shared_ptr<PendingOperation>> adopted_;
  // Of both, written under the lock.
  std::atomic<std::size_t> count_{0};
};

// The process's.
DETOUR_API RequestTable& request_table();

}  // namespace detour
