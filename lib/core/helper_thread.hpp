// The thread that gets nonblocking operations done while the program computes.
//
// Started by the first of them. It sleeps while there are none; while there are, it looks after them whenever
// this process's bell rings. It calls MPI only for operations that reach other nodes, which there are only if
// MPI was started for several threads: see Communicator::advances_by_itself.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/communicator.hpp"

namespace detour {

class HelperThread {
 public:
  static HelperThread& instance();

  // Fails by an exception where the system allows no more threads.
  void start();
  // Looks after the queue of a communicator that advances by itself until it is empty. After start().
  void look_after(const std::shared_ptr<Communicator>& communicator);

  // Returns when the thread has ended.
  void stop();

 private:
  HelperThread() = default;
  void wake_up();  // for who holds mutex_
  void run();
  bool wait_for_work(std::vector<std::shared_ptr<Communicator>>& busy);
  void advance(std::vector<std::shared_ptr<Communicator>>& busy);
  void rest(const std::vector<std::shared_ptr<Communicator>>& busy, std::uint64_t bell_value) const;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<std::shared_ptr<Communicator>> added_;
  // What the thread may be asleep on. Set before it reads the bell's value, so that whoever rings it later changes
  // what the thread goes to sleep with, and cleared before the thread lets go of the communicator.
  Counter* bell_ = nullptr;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace detour
