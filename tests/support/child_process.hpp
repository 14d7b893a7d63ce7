// Real processes for tests: a forked child that runs a function, and memory that both see.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <functional>
#include <memory>

namespace detour::test {

// Ends its process when it goes out of scope, and ends with it, so that no test leaves one behind.
class ChildProcess {
 public:
  // The body's result is the exit status. No assertions of Catch2 in it: they belong to the parent.
  explicit ChildProcess(const std::function<int()>& body);
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;

  pid_t pid() const { return pid_; }

  // The exit status, or minus the number of the signal that ended it.
  int wait();
  int kill_and_wait();

  // User and system time of the process; known after the wait.
  double cpu_seconds() const;

 private:
  pid_t pid_;
  bool is_over_ = false;
  int status_ = 0;
  rusage usage_{};
};

// Zeroed memory that stays shared with children; mmap's, so that no heap under test is needed.
std::shared_ptr<void> make_scratch(std::size_t bytes);

template <class Value>
std::shared_ptr<Value> make_shared_scratch() {
  auto memory = make_scratch(sizeof(Value));
  auto* value = new (memory.get()) Value;
  return {memory, value};
}

// True as soon as the condition is; false if it still isn't after ten seconds.
bool eventually(const std::function<bool()>& condition);

}  // namespace detour::test
