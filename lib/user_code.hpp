// Code of the program's that the library calls in the middle of an operation: operations made with MPI_Op_create.
// It may take as long as it likes, so whoever looks for operations that don't get on has to know.
#pragma once

#include <atomic>

namespace detour {

class InUserCode {
 public:
  InUserCode() { count().fetch_add(1, std::memory_order_relaxed); }
  ~InUserCode() { count().fetch_sub(1, std::memory_order_relaxed); }
  InUserCode(const InUserCode&) = delete;
  InUserCode& operator=(const InUserCode&) = delete;

  // Whether any thread is in such code.
  static bool any() { return count().load(std::memory_order_relaxed) > 0; }

 private:
  static std::atomic<int>& count() {
    static constinit std::atomic<int> value{0};
    return value;
  }
};

}  // namespace detour
