#include "support/child_process.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace detour::test {
namespace {

[[noreturn]] void run(const std::function<int()>& body) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Catch2's handlers would report a child's end as the test's.
  for (const int number : {SIGTERM, SIGSEGV, SIGABRT, SIGBUS}) ::signal(number, SIG_DFL);
  int status = 99;
  try {
    status = body();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "a child process threw: %s\n", error.what());
  }
  ::_exit(status);
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

// Flushed first, or the child would write the same once more.
ChildProcess::ChildProcess(const std::function<int()>& body)
    : pid_((std::cout.flush(), std::fflush(stdout), ::fork())) {
  if (pid_ < 0) throw std::runtime_error("can't fork");
  if (pid_ == 0) run(body);
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) kill_and_wait();
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      is_over_(other.is_over_),
      status_(other.status_),
      usage_(other.usage_) {}

int ChildProcess::wait() {
  if (!is_over_) {
    int status = 0;
    while (::wait4(pid_, &status, 0, &usage_) < 0 && errno == EINTR) continue;
    status_ = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    is_over_ = true;
  }
  return status_;
}

int ChildProcess::kill_and_wait() {
  if (!is_over_) ::kill(pid_, SIGKILL);
  return wait();
}

double ChildProcess::cpu_seconds() const {
  return seconds(usage_.ru_utime) + seconds(usage_.ru_stime);
}

std::shared_ptr<void> make_scratch(std::size_t bytes) {
  void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) throw std::runtime_error("can't map memory to share");
  return {address, [bytes](void* memory) { ::munmap(memory, bytes); }};
}

bool eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace detour::test
