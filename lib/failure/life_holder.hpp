// The owner's side of life locks: one thread that holds them for its process.
//
// The thread has to be one of our own, which locks no robust mutex: the kernel keeps one list of robust
// locks per thread, and this takes the place of the C library's. A program's own thread would not do in
// any case, as its end is not that of the process.
#pragma once

#include <linux/futex.h>
#include <sys/types.h>

#include <cstddef>
#include <vector>

#include "detour/routing/outcome.hpp"
#include "failure/life_lock.hpp"

namespace detour {

// Has to outlive the thread: the kernel reads it when the thread ends. So do the locks.
class LifeHolder {
 public:
  LifeHolder();
  LifeHolder(const LifeHolder&) = delete;
  LifeHolder& operator=(const LifeHolder&) = delete;

  // By the thread that is to hold. False if the kernel has no such lists.
  bool begin();

  // After begin(), by any thread, one at a time. A process has several locks if it has several heaps,
  // of which not every peer can open each.
  void hold(LifeLock& lock);

  // Lets go of all on purpose, one at a time with hold(). If the thread ends without, all who look are told
  // that the process has died.
  void let_go();

  const std::vector<LifeLock*>& locks() const { return locks_; }

 private:
  robust_list_head list_{};
  pid_t thread_ = 0;
  std::vector<LifeLock*> locks_;
};

}  // namespace detour
