// The program's requests that a death can keep from ever ending: what each of them waits for.
//
// MPI tells nothing of a request but whether it has ended, so this is noted when a request is made, and forgotten
// when the program is told of its end. Both are on the way of every message: a table with open addresses and a
// lock that is held for some instructions. It is looked at only after a death, and to forget.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace detour::shim {

struct FallibleRequest {
  enum class Kind : std::uint8_t { send, receive };

  static FallibleRequest send_to(MPI_Comm comm, int dest) { return {comm, dest, Kind::send}; }
  static FallibleRequest receive_from(MPI_Comm comm, int source) {
    return {comm, source, Kind::receive};
  }
  // The same by the peer's rank in the world, whose error handler then hears of it: for when the communicator goes.
  // Not for one whose source is open.
  FallibleRequest in_world() const;
  FallibleRequest as_persistent() const {
    FallibleRequest request = *this;
    request.is_persistent = true;
    return request;
  }

  MPI_Comm comm = MPI_COMM_NULL;
  int peer = MPI_PROC_NULL;  // may be MPI_ANY_SOURCE
  Kind kind = Kind::receive;
  bool is_persistent = false;
  // Of persistent ones. The program has started it, MPI was not asked to, because the peer was dead: fails when it
  // is waited for.
  bool is_refused = false;
  // MPI has it under way for ever, the program was told that it failed: nothing can be done with it any more.
  bool is_stuck = false;
  // Set by the book: which of the many requests that may have had the same handle, one after the other.
  std::uint64_t number = 0;
};

// Safe for any number of threads. MPI is never called under the lock.
class RequestBook {
 public:
  struct Listed {
    int index = 0;  // in the list
    MPI_Request handle = MPI_REQUEST_NULL;
    FallibleRequest request;
    // For who looks at it again and again: as of so many deaths.
    std::uint64_t deaths_seen = 0;
    bool waits_for_the_dead = false;
  };

  RequestBook();

  // Whoever has a request sees that it is not empty: it was told of the request by who added it.
  bool is_empty() const { return count_.load(std::memory_order_relaxed) == 0; }

  // In place of what was known of an earlier request with this handle.
  void add(MPI_Request handle, FallibleRequest request);
  // These do nothing if the handle stands for another request meanwhile.
  void change(MPI_Request handle, const FallibleRequest& request);
  void remove(MPI_Request handle, std::uint64_t number);

  std::optional<FallibleRequest> find(MPI_Request handle) const;
  // All of a list, in its order, at the end of `found`.
  void find_all(int count, const MPI_Request handles[], std::vector<Listed>& found) const;

  // The same for a call that does not return before they have ended: they are forgotten now, but for persistent ones.
  std::optional<FallibleRequest> take(MPI_Request handle);
  void take_all(int count, const MPI_Request handles[], std::vector<Listed>& found);
  // One that was taken, when the call can't go on. Without memory for that it is not watched any longer.
  void put_back(MPI_Request handle, const FallibleRequest& request) noexcept;

  // The communicator's handle is about to lose its meaning, with requests on it that go on.
  void forget_communicator(MPI_Comm comm);

 private:
  struct Slot {
    MPI_Request handle = MPI_REQUEST_NULL;
    FallibleRequest request;
  };
  class Lock;

  std::size_t home_of(MPI_Request handle) const;
  std::size_t slot_of(MPI_Request handle) const;
  void empty(std::size_t slot);
  void grow();

  mutable std::atomic<bool> is_locked_{false};
  std::vector<Slot> slots_;  // a power of two of them, at least a quarter of them free
  std::uint64_t last_number_ = 0;
  std::atomic<std::size_t> count_{0};  // written under the lock
};

RequestBook& request_book();

}  // namespace detour::shim
