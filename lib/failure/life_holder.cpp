#include "failure/life_holder.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "shm/futex.hpp"

namespace detour {
namespace {

// The kernel follows these from the dying thread at whatever point the others have got to.
void set_pointer(robust_list*& pointer, robust_list* value) {
  std::atomic_ref(pointer).store(value, std::memory_order_seq_cst);
}

}  // namespace

LifeHolder::LifeHolder() {
  list_.list.next = &list_.list;  // empty: a ring of the head alone
  // From an entry to the word that belongs to it.
  list_.futex_offset =
      static_cast<long>(offsetof(LifeLock, word_)) - static_cast<long>(offsetof(LifeLock, entry_));
}

bool LifeHolder::begin() {
  thread_ = ::gettid();
  return ::syscall(SYS_set_robust_list, &list_, sizeof list_) == 0;
}

// The list first: a word that says "alive" is always one that the kernel will find.
void LifeHolder::hold(LifeLock& lock) {
  set_pointer(lock.entry_.next, list_.list.next);
  set_pointer(list_.list.next, &lock.entry_);
  lock.word_.store(static_cast<std::uint32_t>(thread_) | FUTEX_WAITERS);
  locks_.push_back(&lock);
}

// Whoever is killed between setting a word to 0 and waking its sleepers would leave a watcher asleep. What
// is pending is looked at by the kernel apart from the list: it wakes one sleeper if it finds a 0 there.
void LifeHolder::let_go() {
  for (LifeLock* lock : locks_) {
    set_pointer(list_.list_op_pending, &lock->entry_);
    lock->word_.store(0);
    futex_wake_all(lock->word_);
  }
  set_pointer(list_.list.next, &list_.list);
  set_pointer(list_.list_op_pending, nullptr);
  locks_.clear();
}

}  // namespace detour
