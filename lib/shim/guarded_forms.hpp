// Each collective operation of the list in two forms that never wait for the dead.
#pragma once

#include <mpi.h>

#include <memory>
#include <tuple>
#include <utility>

#include "shim/call_subject.hpp"
#include "shim/collective_list.hpp"
#include "shim/guarded_collective.hpp"
#include "shim/reporting_exceptions.hpp"
#include "shim/signatures.hpp"
#include "shim/staged_arguments.hpp"

namespace detour::shim {

// What is known of each: the functions behind ours, found at the first call, and what is staged for it.
#define DETOUR_COLLECTIVE(name, lower, upper, count)                          \
  struct name {                                                               \
    static constexpr const char* mpi_name = "MPI_" #name;                     \
    static auto blocking() {                                                  \
      static const auto next = next_function("MPI_" #name, &PMPI_##name);     \
      return next;                                                            \
    }                                                                         \
    static auto nonblocking() {                                               \
      static const auto next = next_function("MPI_I" #lower, &PMPI_I##lower); \
      return next;                                                            \
    }                                                                         \
    static constexpr auto stage = &stage::lower;                              \
  };
namespace collective {
DETOUR_OTHER_COLLECTIVES(DETOUR_COLLECTIVE)
DETOUR_OTHER_COLLECTIVES_OF_TYPES(DETOUR_COLLECTIVE)
DETOUR_OWN_COLLECTIVES(DETOUR_COLLECTIVE)
DETOUR_OWN_IN_BOTH_FORMS(DETOUR_COLLECTIVE)
}  // namespace collective
#undef DETOUR_COLLECTIVE

template <class Collective, class Function>
struct GuardedForms;

template <class Collective, class... Parameters>
struct GuardedForms<Collective, int (*)(Parameters...)> {
  using Arguments = std::tuple<Parameters...>;

  // Where the buffers can't be staged, because arguments make no sense or memory is short, there is nothing
  // to look at: MPI gets the call as it came, and a death in it ends the job.
  static int run(Parameters... given) {
    const Arguments arguments(given...);
    const MPI_Comm comm = comm_of(arguments);
    if (!needs_guard(comm)) return std::apply(Collective::blocking(), arguments);
    return reporting_exceptions(comm, [&] {
      if (const int error = error_at_entry(comm); error != MPI_SUCCESS) return error;
      Arguments staged = arguments;
      Staging staging = stage(staged);
      if (staging.is_refused()) {
        const CallWatch watch(Collective::mpi_name, members_of(comm));
        return std::apply(Collective::blocking(), arguments);
      }
      GuardedCollective operation(comm, std::move(staging));
      const int error = begin_in_mpi(staged, operation.request());
      return error == MPI_SUCCESS ? wait_for(operation) : error;
    });
  }

  static int begin(Parameters... given, MPI_Request* request) {
    const Arguments arguments(given...);
    const MPI_Comm comm = comm_of(arguments);
    if (request == nullptr || !needs_guard(comm)) return begin_in_mpi(arguments, request);
    return reporting_exceptions(comm, [&] {
      if (const int error = error_at_entry(comm); error != MPI_SUCCESS) return error;
      Arguments staged = arguments;
      Staging staging = stage(staged);
      if (staging.is_refused()) return begin_in_mpi(arguments, request);
      const auto operation = std::make_shared<GuardedCollective>(comm, std::move(staging));
      const int error = begin_in_mpi(staged, operation->request());
      return error == MPI_SUCCESS ? hand_over(operation, request) : error;
    });
  }

 private:
  static MPI_Comm comm_of(const Arguments& arguments) {
    return std::get<subject_position<Arguments>>(arguments);
  }

  static Staging stage(Arguments& arguments) {
    Staging staging;
    std::apply([&](auto&... each) { Collective::stage(staging, each...); }, arguments);
    return staging;
  }

  static int begin_in_mpi(const Arguments& arguments, MPI_Request* request) {
    return std::apply([&](auto... each) { return Collective::nonblocking()(each..., request); },
                      arguments);
  }
};

template <class Collective>
using Guarded = GuardedForms<Collective, decltype(Collective::blocking())>;

}  // namespace detour::shim
