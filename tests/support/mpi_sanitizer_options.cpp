// What sanitizers have to know about a program that uses MPI. Looked up by name, so it has to be in
// the program itself.
//
// What MPI keeps to itself until the process ends is not our leak: the address sanitizer finds out by
// names of libraries, for which it needs whole stacks. And the thread sanitizer sees no locks inside
// libraries that were compiled without it.
extern "C" {
[[gnu::visibility("default")]] const char* __asan_default_options();
[[gnu::visibility("default")]] const char* __lsan_default_options();
[[gnu::visibility("default")]] const char* __lsan_default_suppressions();
[[gnu::visibility("default")]] const char* __tsan_default_options();

const char* __asan_default_options() {
  return "fast_unwind_on_malloc=0";
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
