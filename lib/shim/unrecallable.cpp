// MPI's functions that can't be recalled: windows, files, other processes.
#include "shim/unrecallable.hpp"

#include <mpi.h>

#include <tuple>
#include <type_traits>

#include "shim/export.hpp"
#include "shim/left_open.hpp"
#include "shim/p2p/point_to_point.hpp"
#include "shim/signatures.hpp"
#include "shim/unrecallable_list.hpp"
#include "shim/watched_request.hpp"

namespace detour::shim {
namespace {

template <class... Parameters>
auto subject_of(Parameters... arguments) {
  using Types = std::tuple<Parameters...>;
  return handle_in(std::get<subject_position<Types>>(Types(arguments...)));
}

template <class... Parameters>
int run(const char* name, int (*next)(Parameters...), Parameters... arguments) {
  return run_unrecallable<std::tuple<Parameters...>>(name, subject_of(arguments...),
                                                     [&] { return next(arguments...); });
}

template <class Handle>
int run_freeing(const char* name, int (*next)(Handle*), Handle* argument) {
  const Handle handle = handle_in(argument);
  if constexpr (std::is_same_v<Handle, MPI_Comm>) forget_requests_on(handle);
  const int error = run(name, next, argument);
  if (error == MPI_SUCCESS) forget_members(handle);
  return error;
}

// What is made is the last argument.
template <class... Parameters>
int run_opening(const char* name, int (*next)(Parameters...), Parameters... arguments) {
  const int error = run(name, next, arguments...);
  if (error == MPI_SUCCESS) {
    remember_open(*std::get<sizeof...(Parameters) - 1>(std::tuple(arguments...)));
  }
  return error;
}

// The request is the last argument.
template <class... Parameters>
int run_begin(const char* name, int (*next)(Parameters...), Parameters... arguments) {
  using Types = std::tuple<Parameters...>;
  const Types all(arguments...);
  const auto handle = std::get<subject_position<Types>>(all);
  const int error = run(name, next, arguments...);
  if (error != MPI_SUCCESS || !survives_deaths()) return error;
  return watch_request(name, members_of(handle), std::get<sizeof...(Parameters) - 1>(all));
}

}  // namespace
}  // namespace detour::shim

namespace shim = detour::shim;

#define DETOUR_REPLACED_BY(body, name, count)                                                      \
  DETOUR_REPLACES_MPI int MPI_##name(DETOUR_PARAMETERS_##count(PMPI_##name)) {                     \
    static const auto next = shim::next_function("MPI_" #name, &PMPI_##name);                      \
    using Types = shim::Signature<decltype(&PMPI_##name)>::Types;                                  \
    return shim::reporting_exceptions_for<Types>(shim::subject_of(DETOUR_ARGUMENTS_##count), [&] { \
      return shim::body("MPI_" #name, next, DETOUR_ARGUMENTS_##count);                             \
    });                                                                                            \
  }
#define DETOUR_UNRECALLABLE(name, lower, upper, count) DETOUR_REPLACED_BY(run, name, count)
#define DETOUR_OPENING(name, lower, upper, count) DETOUR_REPLACED_BY(run_opening, name, count)
#define DETOUR_FREEING(name, lower, upper, count) DETOUR_REPLACED_BY(run_freeing, name, count)
#define DETOUR_BEGIN(name, lower, upper, count) DETOUR_REPLACED_BY(run_begin, name, count)

DETOUR_WINDOW_CALLS(DETOUR_UNRECALLABLE)
DETOUR_FILE_CALLS(DETOUR_UNRECALLABLE)
DETOUR_CONNECTING_CALLS(DETOUR_UNRECALLABLE)
DETOUR_CALLS_WITH_TEXT(DETOUR_UNRECALLABLE)
DETOUR_WINDOW_MAKING_CALLS(DETOUR_OPENING)
DETOUR_FILE_OPENING_CALLS(DETOUR_OPENING)
DETOUR_FREEING_CALLS(DETOUR_FREEING)
DETOUR_CALLS_WITH_REQUEST(DETOUR_BEGIN)
