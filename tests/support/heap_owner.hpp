// A process that owns a heap until it is killed or goes out of scope.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "shm/shared_heap.hpp"
#include "support/child_process.hpp"

namespace detour::test {

class HeapOwner {
 public:
  static constexpr std::byte mark{42};  // all over its heap

  HeapOwner(std::size_t bytes, Backing backing);
  ~HeapOwner();  // removes its name too

  const HeapHandle& handle() const { return shared_->handle; }
  ChildProcess& process() { return process_; }

  // Done by the owner itself.
  void unlink();
  std::byte first_byte();

 private:
  enum Request : int { none, unlink_name, read_first_byte, done };
  struct Shared {
    HeapHandle handle;
    std::atomic<bool> is_ready;
    std::atomic<int> request;
    std::byte first_byte;
  };

  static int run(Shared& shared, std::size_t bytes, Backing backing);
  void ask(Request request);

  std::shared_ptr<Shared> shared_;
  ChildProcess process_;
};

// What is in /dev/shm under the name of a process.
std::vector<std::string> names_of(pid_t owner);

}  // namespace detour::test
