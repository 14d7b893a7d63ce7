// Points at which tests let a rank die: nothing at all unless built with DETOUR_TEST_HOOKS.
//
//   DETOUR_FAULT_POINT("entering");
//
// In a test build the variable _DETOUR_FAULT says who dies where: POINT:RANK:NTH[:HOW], several of them with commas
// between. RANK is one of MPI_COMM_WORLD, or * for all; NTH counts the passings of the point by the process, from 1;
// HOW is kill (SIGKILL, unless told otherwise), stop (SIGSTOP) or exit (_exit with 0). A rank outside a job is 0. The
// name has no DETOUR_ in front because it is not a setting.
//
// In a header alone, because every layer has points and no layer is below all others. Each shared library counts its own
// passings.
#pragma once

#include <cstddef>
#include <string_view>

#ifdef DETOUR_TEST_HOOKS
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>
#endif

namespace detour {

// All of them. A name that is not here does not compile, and is refused in the variable.
inline constexpr std::string_view fault_point_names[] = {
    // lib/shim
    "init-ended",
    "finalize-began",
    "leaving-mpi",
    // lib/c_api
    "call-began",
    // lib/core
    "binding",
    "bound",
    // lib/node
    "entering",
    "entered",
    // lib/operations
    "staging",
    "reducing",
    "reduced",
    "copying",
    "copied",
    "giving-up",
    "reducing-small",
    "sharing",
    "attempting-anew",
    "making-route",
    "moving",
    "arriving",
    "committing",
    "regrouping",
    "joining",
    "reporting",
    // lib/membership
    "deciding",
    "proposed",
    "decided",
};

constexpr bool is_fault_point(std::string_view name) {
  for (const std::string_view point : fault_point_names) {
    if (point == name) return true;
  }
  return false;
}

#ifdef DETOUR_TEST_HOOKS

inline constexpr const char* fault_variable = "_DETOUR_FAULT";

struct Fault {
  std::string_view point;
  std::uint64_t passing;
  char how;  // the first letter
};

// Those of this process.
class FaultPlan {
 public:
  static const FaultPlan& instance() {
    static const FaultPlan plan;
    return plan;
  }

  void pass(std::string_view point, std::uint64_t passing) const {
    for (const Fault& fault : faults_) {
      if (fault.point == point && fault.passing == passing) carry_out(fault);
    }
  }

 private:
  FaultPlan() {
    const char* const text = std::getenv(fault_variable);
    if (text == nullptr) return;
    const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
    own_rank_ = rank != nullptr ? rank : "0";
    for (std::string_view rest = text; !rest.empty();) add(take_until(rest, ','));
  }

  static std::string_view take_until(std::string_view& text, char separator) {
    const auto end = text.find(separator);
    const auto taken = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return taken;
  }

  void add(std::string_view entry) {
    std::string_view rest = entry;
    const auto point = take_until(rest, ':');
    const auto rank = take_until(rest, ':');
    const auto passing_text = take_until(rest, ':');
    const auto how = rest.empty() ? std::string_view("kill") : rest;
    std::uint64_t passing = 0;
    std::from_chars(passing_text.data(), passing_text.data() + passing_text.size(), passing);
    if (!is_fault_point(point)) refuse(entry, "there is no such point");
    if (rank.empty() || passing == 0) refuse(entry, "it is POINT:RANK:NTH[:HOW]");
    if (how != "kill" && how != "stop" && how != "exit") refuse(entry, "HOW is kill, stop or exit");
    if (rank == "*" || rank == own_rank_) faults_.push_back({point, passing, how[0]});
  }

  [[noreturn]] static void refuse(std::string_view entry, const char* why) {
    std::fprintf(stderr, "detour: %s has '%s': %s\n", fault_variable, std::string(entry).c_str(),
                 why);
    std::_Exit(2);
  }

  static void carry_out(const Fault& fault) {
    if (fault.how == 'e') _exit(0);
    kill(getpid(), fault.how == 's' ? SIGSTOP : SIGKILL);
  }

  std::string own_rank_;
  std::vector<Fault> faults_;
};

// By any thread.
template <std::size_t point>
void pass_fault_point() {
  static std::atomic<std::uint64_t> passing_count{0};
  FaultPlan::instance().pass(fault_point_names[point], ++passing_count);
}

consteval std::size_t fault_point_number(std::string_view name) {
  for (std::size_t at = 0; at < std::size(fault_point_names); ++at) {
    if (fault_point_names[at] == name) return at;
  }
  throw "no such fault point";
}

#define DETOUR_FAULT_POINT(name) ::detour::pass_fault_point<::detour::fault_point_number(name)>()

#else

#define DETOUR_FAULT_POINT(name) \
  static_assert(::detour::is_fault_point(name), "a name of fault_points.hpp")

#endif

}  // namespace detour
