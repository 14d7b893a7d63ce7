#include "log.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"

using namespace detour;

namespace {

// What is written to stderr while this lives.
class CapturedStderr {
 public:
  CapturedStderr() : file_(::memfd_create("stderr", 0)), saved_(::dup(STDERR_FILENO)) {
    ::dup2(file_, STDERR_FILENO);
  }
  ~CapturedStderr() {
    ::dup2(saved_, STDERR_FILENO);
    ::close(saved_);
    ::close(file_);
    set_log_level(Settings().log);
  }
  CapturedStderr(const CapturedStderr&) = delete;
  CapturedStderr& operator=(const CapturedStderr&) = delete;

  std::string text() const {
    std::string text(static_cast<std::size_t>(::lseek(file_, 0, SEEK_END)), '\0');
    const auto count = ::pread(file_, text.data(), text.size(), 0);
    REQUIRE(count == static_cast<ssize_t>(text.size()));
    return text;
  }

 private:
  int file_;
  int saved_;
};

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t start = 0; start < text.size();) {
    const auto end = std::min(text.find('\n', start), text.size());
    result.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return result;
}

}  // namespace

TEST_CASE("without a word of the user only warnings and errors are logged") {
  const CapturedStderr captured;
  log(LogLevel::error, "an error");
  log(LogLevel::warn, "a warning of {}", 42);
  log(LogLevel::info, "not this");
  log(LogLevel::debug, "nor {}", "this");
  log(LogLevel::off, "never this");
  REQUIRE(captured.text() == "[detour] an error\n[detour] a warning of 42\n");
}

TEST_CASE("the level decides what is logged") {
  const std::array levels{LogLevel::error, LogLevel::warn, LogLevel::info, LogLevel::debug};
  for (const LogLevel set :
       {LogLevel::off, LogLevel::error, LogLevel::warn, LogLevel::info, LogLevel::debug}) {
    const CapturedStderr captured;
    set_log_level(set);
    std::size_t expected_count = 0;
    for (const LogLevel level : levels) {
      log(level, "text");
      REQUIRE(log_is_on(level) == (level <= set));
      if (level <= set) ++expected_count;
    }
    REQUIRE(lines(captured.text()).size() == expected_count);
  }
}

TEST_CASE("a message is one line, whatever is in it") {
  const CapturedStderr captured;
  log(LogLevel::warn, "one\ntwo {} %v");
  log(LogLevel::warn, "{}", "braces {} and %n\nin arguments");
  REQUIRE(captured.text() == "[detour] one two {} %v\n[detour] braces {} and %n in arguments\n");
}

TEST_CASE("lines of several threads don't mix") {
  constexpr int thread_count = 4;
  constexpr int message_count = 200;
  const CapturedStderr captured;
  const std::string word(100, 'x');
  std::vector<std::thread> threads;
  for (int thread = 0; thread < thread_count; ++thread) {
    threads.emplace_back([&word] {
      for (int message = 0; message < message_count; ++message) {
        log(LogLevel::warn, "{}", word);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto all = lines(captured.text());
  REQUIRE(all.size() == thread_count * message_count);
  for (const std::string& line : all) REQUIRE(line == "[detour] " + word);
}

// Last, because a rank can't be taken back.
TEST_CASE("lines have the rank once it is known") {
  const CapturedStderr captured;
  set_log_rank(3);
  log(LogLevel::warn, "text");
  REQUIRE(captured.text() == "[detour] rank 3: text\n");
}
