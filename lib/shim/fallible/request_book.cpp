#include "shim/fallible/request_book.hpp"

#include <sched.h>

#include <algorithm>
#include <new>
#include <utility>

#include "mpi/translated_ranks.hpp"

namespace detour::shim {
namespace {

constexpr std::size_t first_slot_count = 64;

}  // namespace

FallibleRequest FallibleRequest::in_world() const {
  FallibleRequest request = *this;
  request.peer = world_rank_of(comm, peer);
  request.comm = MPI_COMM_WORLD;
  return request;
}

// For a few instructions at a time, so whoever finds it taken gets it soon. The holder may have lost its core.
class RequestBook::Lock {
 public:
  explicit Lock(std::atomic<bool>& is_locked) : is_locked_(is_locked) {
    while (is_locked_.exchange(true, std::memory_order_acquire)) sched_yield();
  }
  ~Lock() { is_locked_.store(false, std::memory_order_release); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  std::atomic<bool>& is_locked_;
};

RequestBook::RequestBook() : slots_(first_slot_count) {}

// Requests lie one behind the other in MPI's memory: multiplication spreads them.
std::size_t RequestBook::home_of(MPI_Request handle) const {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
  const auto address = reinterpret_cast<std::uintptr_t>(handle);
  return static_cast<std::size_t>((address * factor) >> 32) & (slots_.size() - 1);
}

// Where it is, or the free slot where it would be.
std::size_t RequestBook::slot_of(MPI_Request handle) const {
  std::size_t at = home_of(handle);
  while (slots_[at].handle != handle && slots_[at].handle != MPI_REQUEST_NULL) {
    at = (at + 1) & (slots_.size() - 1);
  }
  return at;
}

void RequestBook::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
  for (const Slot& slot : old) {
    if (slot.handle != MPI_REQUEST_NULL) slots_[slot_of(slot.handle)] = slot;
  }
}

void RequestBook::add(MPI_Request handle, FallibleRequest request) {
  const Lock lock(is_locked_);
  const std::size_t count = count_.load(std::memory_order_relaxed);
  if ((count + 1) * 4 > slots_.size() * 3) grow();
  Slot& slot = slots_[slot_of(handle)];
  if (slot.handle == MPI_REQUEST_NULL) count_.store(count + 1, std::memory_order_relaxed);
  request.number = ++last_number_;
  slot = {handle, request};
}

void RequestBook::change(MPI_Request handle, const FallibleRequest& request) {
  const Lock lock(is_locked_);
  Slot& slot = slots_[slot_of(handle)];
  if (slot.handle == handle && slot.request.number == request.number) slot.request = request;
}

void RequestBook::remove(MPI_Request handle, std::uint64_t number) {
  const Lock lock(is_locked_);
  const std::size_t slot = slot_of(handle);
  if (slots_[slot].handle == handle && slots_[slot].request.number == number) empty(slot);
}

void RequestBook::empty(std::size_t gap) {
  count_.store(count_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  // Those behind move up, unless that would put them before their home: nobody finds them there.
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = (gap + 1) & mask; slots_[at].handle != MPI_REQUEST_NULL;
       at = (at + 1) & mask) {
    const std::size_t from_home = (at - home_of(slots_[at].handle)) & mask;
    if (from_home < ((at - gap) & mask)) continue;
    slots_[gap] = slots_[at];
    gap = at;
  }
  slots_[gap] = {};
}

std::optional<FallibleRequest> RequestBook::find(MPI_Request handle) const {
  if (is_empty()) return std::nullopt;
  const Lock lock(is_locked_);
  const Slot& slot = slots_[slot_of(handle)];
  if (slot.handle == MPI_REQUEST_NULL) return std::nullopt;
  return slot.request;
}

void RequestBook::find_all(int count, const MPI_Request handles[],
                           std::vector<Listed>& found) const {
  const Lock lock(is_locked_);
  for (int index = 0; index < count; ++index) {
    if (handles[index] == MPI_REQUEST_NULL) continue;
    const Slot& slot = slots_[slot_of(handles[index])];
    if (slot.handle != MPI_REQUEST_NULL) found.push_back({index, slot.handle, slot.request});
  }
}

std::optional<FallibleRequest> RequestBook::take(MPI_Request handle) {
  if (is_empty()) return std::nullopt;
  const Lock lock(is_locked_);
  const std::size_t slot = slot_of(handle);
  if (slots_[slot].handle == MPI_REQUEST_NULL) return std::nullopt;
  const FallibleRequest request = slots_[slot].request;
  if (!request.is_persistent) empty(slot);
  return request;
}

// Nothing is taken unless there is room for all.
void RequestBook::take_all(int count, const MPI_Request handles[], std::vector<Listed>& found) {
  found.reserve(found.size() + static_cast<std::size_t>(std::max(count, 0)));
  const Lock lock(is_locked_);
  for (int index = 0; index < count; ++index) {
    if (handles[index] == MPI_REQUEST_NULL) continue;
    const std::size_t slot = slot_of(handles[index]);
    if (slots_[slot].handle == MPI_REQUEST_NULL) continue;
    found.push_back({index, slots_[slot].handle, slots_[slot].request});
    if (!slots_[slot].request.is_persistent) empty(slot);
  }
}

void RequestBook::put_back(MPI_Request handle, const FallibleRequest& request) noexcept {
  if (request.is_persistent) return;  // it has never been away
  try {
    add(handle, request);
  } catch (const std::bad_alloc&) {
    // Its slot may have been used by another thread meanwhile.
  }
}

// Where the source is open, MPI's answer would be in ranks of the lost communicator: such a request is not watched any
// longer.
void RequestBook::forget_communicator(MPI_Comm comm) {
  std::vector<Listed> lost;
  {
    const Lock lock(is_locked_);
    for (const Slot& slot : slots_) {
      if (slot.handle != MPI_REQUEST_NULL && slot.request.comm == comm) {
        lost.push_back({0, slot.handle, slot.request});
      }
    }
  }
  for (const Listed& one : lost) {
    if (one.request.peer == MPI_ANY_SOURCE) {
      remove(one.handle, one.request.number);
    } else {
      change(one.handle, one.request.in_world());
    }
  }
}

RequestBook& request_book() {
  // Never destroyed: requests may be freed while the process ends.
  static auto* const book = new RequestBook;
  return *book;
}

}  // namespace detour::shim
