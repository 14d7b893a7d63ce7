// Checks in a program of several ranks: what fails on any of them fails the program.
#pragma once

#include <cstdio>
#include <string>

namespace detour::test {

inline int failure_count = 0;

inline void check(bool holds, const char* what, const char* file, int line) {
  if (holds) return;
  ++failure_count;
  std::fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
}

}  // namespace detour::test

#define CHECK_THAT_HOLDS(...) detour::test::check((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
