// What sanitizers have to know about a program that uses MPI. Looked up by name, so it has to be in
// the program itself.
//
// What MPI keeps to itself until the process ends is not our leak: the address sanitizer finds out by
// names of libraries, for which it needs whole stacks. That takes a process four times as long as all else in a short
// job, so that only the first two ranks do it, a root and one that is none: others do as they do. And the thread
// sanitizer sees no locks inside libraries that were compiled without it.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

namespace {

// The sanitizer asks so early that neither getenv nor what it intercepts can be called.
char environment[1 << 18];

std::size_t read_environment() {
  const long file = ::syscall(SYS_openat, AT_FDCWD, "/proc/self/environ", O_RDONLY);
  std::size_t length = 0;
  for (long count = 1; file >= 0 && count > 0 && length < sizeof environment;) {
    count = ::syscall(SYS_read, file, environment + length, sizeof environment - length);
    if (count > 0) length += static_cast<std::size_t>(count);
  }
  if (file >= 0) ::syscall(SYS_close, file);
  return length;
}

template <std::size_t size>
bool begins_with(const char* text, const char* end, const char (&part)[size]) {
  if (end - text < static_cast<std::ptrdiff_t>(size)) return false;
  for (std::size_t at = 0; at + 1 < size; ++at) {
    if (text[at] != part[at]) return false;
  }
  return true;
}

// Also a program that is no rank of a job.
bool is_first_or_second_rank() {
  const char* const end = environment + read_environment();
  constexpr char name[] = "OMPI_COMM_WORLD_RANK=";
  for (const char* entry = environment; entry < end; ++entry) {
    if (begins_with(entry, end, name)) {
      const char* const rank = entry + sizeof name - 1;
      return rank[0] <= '1' && (rank + 1 == end || rank[1] == '\0');
    }
    while (entry < end && *entry != '\0') ++entry;
  }
  return true;
}

}  // namespace

extern "C" {
[[gnu::visibility("default")]] const char* __asan_default_options();
[[gnu::visibility("default")]] const char* __lsan_default_options();
[[gnu::visibility("default")]] const char* __lsan_default_suppressions();
[[gnu::visibility("default")]] const char* __tsan_default_options();

const char* __asan_default_options() {
  return is_first_or_second_rank() ? "fast_unwind_on_malloc=0" : "detect_leaks=0";
}

// Tests look at what a program says: the sanitizer speaks of leaks only.
const char* __lsan_default_options() {
  return "print_suppressions=0";
}

const char* __lsan_default_suppressions() {
  return "leak:libopen-rte\nleak:libopen-pal\nleak:libmpi\nleak:mca_\nleak:libpmix\n"
         "leak:libhwloc\nleak:libevent\n";
}

const char* __tsan_default_options() {
  return "ignore_noninstrumented_modules=1";
}
}
