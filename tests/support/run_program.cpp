#include "support/run_program.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace detour::test {
namespace {

// A file without a name that takes a program's output, however much that is.
class Capture {
 public:
  Capture() {
    char name[] = "/tmp/detour-test-XXXXXX";
    descriptor_ = ::mkstemp(name);
    if (descriptor_ < 0) throw std::runtime_error("can't make a temporary file");
    ::unlink(name);
  }
  ~Capture() { ::close(descriptor_); }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  int descriptor() const { return descriptor_; }
  std::string text() const {
    std::string text;
    std::array<char, 65536> buffer;
    ::lseek(descriptor_, 0, SEEK_SET);
    while (true) {
      const auto count = ::read(descriptor_, buffer.data(), buffer.size());
      if (count <= 0) return text;
      text.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  int descriptor_;
};

bool is_kept_out(std::string_view entry) {
  for (const std::string_view prefix : {"DETOUR_", "NO_COLOR", "LC_", "LANG"}) {
    if (entry.starts_with(prefix)) return true;
  }
  return false;
}

std::vector<std::string> make_environment(const std::vector<std::string>& additions) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!is_kept_out(*entry)) result.emplace_back(*entry);
  }
  bool has_locale = false;
  for (const std::string& addition : additions) {
    result.push_back(addition);
    if (addition.starts_with("LC_ALL=")) has_locale = true;
  }
  if (!has_locale) result.emplace_back("LC_ALL=C.UTF-8");
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

int open_stdout(const ProgramOptions& options, const Capture& capture) {
  if (options.stdout_reader_is_gone) {
    std::array<int, 2> ends;
    if (::pipe(ends.data()) != 0) throw std::runtime_error("can't make a pipe");
    ::close(ends[0]);
    return ends[1];
  }
  if (options.stdout_path.empty()) return ::dup(capture.descriptor());
  return ::open(options.stdout_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& arguments,
                          const ProgramOptions& options) {
  const Capture out;
  const Capture err;
  auto argument_texts = arguments;
  auto environment_texts = make_environment(options.environment);
  const auto argument_pointers = pointers(argument_texts);
  const auto environment_pointers = pointers(environment_texts);
  const int stdout_descriptor = open_stdout(options, out);
  if (stdout_descriptor < 0) throw std::runtime_error("can't open the program's output");

  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(stdout_descriptor, STDOUT_FILENO);
    ::dup2(err.descriptor(), STDERR_FILENO);
    ::execve(argument_pointers[0], argument_pointers.data(), environment_pointers.data());
    ::_exit(127);
  }
  ::close(stdout_descriptor);
  int status = 0;
  rusage usage{};
  if (::wait4(child, &status, 0, &usage) != child) throw std::runtime_error("lost the program");

  ProgramResult result;
  result.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  result.out = out.text();
  result.err = err.text();
  result.memory_kib_max = usage.ru_maxrss;
  return result;
}

}  // namespace detour::test
