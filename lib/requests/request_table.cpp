#include "requests/request_table.hpp"

#include <utility>

namespace detour {

void RequestTable::add(std::shared_ptr<PendingRequest> request) {
  const MPI_Request handle = request->handle();
  const std::lock_guard lock(mutex_);
  requests_.emplace(handle, std::move(request));
  count_.store(requests_.size() + adopted_.size(), std::memory_order_relaxed);
}

void RequestTable::remove(MPI_Request handle) {
  std::shared_ptr<PendingRequest>
      last;  // ends after the lock: an operation's end is not for us to know
  const std::lock_guard lock(mutex_);
  if (const auto found = requests_.find(handle); found != requests_.end()) {
    last = std::move(found->second);
    requests_.erase(found);
  }
  count_.store(requests_.size() + adopted_.size(), std::memory_order_relaxed);
}

std::shared_ptr<PendingRequest> RequestTable::find(MPI_Request handle) const {
  const std::lock_guard lock(mutex_);
  const auto found = requests_.find(handle);
  return found == requests_.end() ? nullptr : found->second;
}

std::vector<RequestTable::Listed> RequestTable::find_all(int count,
                                                         const MPI_Request handles[]) const {
  std::vector<Listed> found;
  const std::lock_guard lock(mutex_);
  for (int i = 0; i < count; ++i) {
    if (const auto entry = requests_.find(handles[i]); entry != requests_.end()) {
      found.push_back({i, entry->second});
    }
  }
  return found;
}

void RequestTable::adopt(std::shared_ptr<PendingOperation> operation) {
  const std::lock_guard lock(mutex_);
  adopted_.push_back(std::move(operation));
  count_.store(requests_.size() + adopted_.size(), std::memory_order_relaxed);
}

void RequestTable::advance_adopted() {
  std::vector<std::shared_ptr<PendingOperation>> operations;
  {
    const std::lock_guard lock(mutex_);
    operations.swap(adopted_);
  }
  std::erase_if(operations, [](const auto& operation) { return operation->advance(); });
  const std::lock_guard lock(mutex_);
  adopted_.insert(adopted_.end(), operations.begin(), operations.end());
  count_.store(requests_.size() + adopted_.size(), std::memory_order_relaxed);
}

void RequestTable::forget_communicator(MPI_Comm comm) noexcept {
  const std::lock_guard lock(mutex_);
  for (const auto& [handle, request] : requests_) {
    if (request->comm() == comm) request->outlive_communicator();
  }
}

RequestTable& request_table() {
  // Never destroyed: MPI may free requests while the process ends.
  static auto* const table = new RequestTable;
  return *table;
}

}  // namespace detour
