// Functions that can't be recalled, for Fortran: windows, files, other processes.
//
// Passed on to Fortran's own function as they came. Which address is of the window, say, is known from C's
// parameters, which are the same in the same order.
#include "shim/unrecallable.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include "shim/fortran/arguments.hpp"
#include "shim/fortran/names.hpp"
#include "shim/left_open.hpp"
#include "shim/signatures.hpp"
#include "shim/unrecallable_list.hpp"
#include "shim/watched_request.hpp"

using namespace detour::shim;

namespace {

MPI_Comm handle_from(const MPI_Fint* handle, MPI_Comm*) {
  return PMPI_Comm_f2c(*handle);
}
MPI_Win handle_from(const MPI_Fint* handle, MPI_Win*) {
  return PMPI_Win_f2c(*handle);
}
MPI_File handle_from(const MPI_Fint* handle, MPI_File*) {
  return PMPI_File_f2c(*handle);
}

template <class Function, std::size_t count>
auto subject_of(const std::array<void*, count>& addresses) {
  using Types = typename Signature<Function>::Types;
  constexpr std::size_t position = subject_position<Types>;
  // The argument's type, and the type of what it points to where it is the address of a handle.
  using Argument = std::tuple_element_t<position, Types>;
  constexpr bool is_address = std::is_same_v<Argument, MPI_Comm*> ||
                              std::is_same_v<Argument, MPI_Win*> ||
                              std::is_same_v<Argument, MPI_File*>;
  using Handle = std::conditional_t<is_address, std::remove_pointer_t<Argument>, Argument>;
  return handle_from(static_cast<const MPI_Fint*>(addresses[position]),
                     static_cast<Handle*>(nullptr));
}

// For a function's whole body.
template <class Function, class Body, class... Addresses>
int reporting(const Body& body, Addresses... addresses) {
  const auto subject = subject_of<Function>(std::array<void*, sizeof...(Addresses)>{addresses...});
  return reporting_exceptions_for<typename Signature<Function>::Types>(subject, body);
}

// `call` gets the place for the error.
template <class Function, class Call, class... Addresses>
int run(const char* name, const Call& call, Addresses... addresses) {
  const auto subject = subject_of<Function>(std::array<void*, sizeof...(Addresses)>{addresses...});
  return run_unrecallable<typename Signature<Function>::Types>(name, subject, [&] {
    MPI_Fint error = MPI_SUCCESS;
    call(&error);
    return error;
  });
}

template <class Function, class Call, class... Addresses>
int run_freeing(const char* name, const Call& call, Addresses... addresses) {
  const auto subject = subject_of<Function>(std::array<void*, sizeof...(Addresses)>{addresses...});
  const int error = run<Function>(name, call, addresses...);
  if (error == MPI_SUCCESS) forget_members(subject);
  return error;
}

// What is made is the last argument.
template <class Function, class Call, class... Addresses>
int run_opening(const char* name, const Call& call, Addresses... addresses) {
  using Types = typename Signature<Function>::Types;
  using Made = std::remove_pointer_t<std::tuple_element_t<sizeof...(Addresses) - 1, Types>>;
  const std::array<void*, sizeof...(Addresses)> all{addresses...};
  const int error = run<Function>(name, call, addresses...);
  if (error == MPI_SUCCESS) {
    remember_open(
        handle_from(static_cast<const MPI_Fint*>(all.back()), static_cast<Made*>(nullptr)));
  }
  return error;
}

// The request is the last argument.
template <class Function, class Call, class... Addresses>
int run_begin(const char* name, const Call& call, Addresses... addresses) {
  const std::array<void*, sizeof...(Addresses)> all{addresses...};
  const int error = run<Function>(name, call, addresses...);
  if (error != MPI_SUCCESS || !survives_deaths()) return error;
  auto* const handle = static_cast<MPI_Fint*>(all.back());
  MPI_Request request = PMPI_Request_f2c(*handle);
  const int watched = watch_request(name, members_of(subject_of<Function>(all)), &request);
  if (watched == MPI_SUCCESS) *handle = PMPI_Request_c2f(request);
  return watched;
}

// Fortran's own function, which is there in every program that gets here.
template <class Function>
Function next_in_fortran(const char* name) {
  return next_function<Function>(name, nullptr);
}

}  // namespace

#define DETOUR_FORTRAN_BY(body, name, lower, upper, count)                                 \
  DETOUR_FORTRAN(mpi_##lower, MPI_##upper, (DETOUR_ADDRESSES_##count, MPI_Fint * error)) { \
    using Next = void (*)(DETOUR_ADDRESSES_##count, MPI_Fint*);                            \
    static const auto next = next_in_fortran<Next>("mpi_" #lower "_");                     \
    const auto call = [&](MPI_Fint* place) { next(DETOUR_ARGUMENTS_##count, place); };     \
    using Function = decltype(&PMPI_##name);                                               \
    const auto whole = [&] {                                                               \
      return body<Function>("MPI_" #name, call, DETOUR_ARGUMENTS_##count);                 \
    };                                                                                     \
    store_error(error, reporting<Function>(whole, DETOUR_ARGUMENTS_##count));              \
  }
#define DETOUR_FORTRAN_UNRECALLABLE(name, lower, upper, count) \
  DETOUR_FORTRAN_BY(run, name, lower, upper, count)
#define DETOUR_FORTRAN_MAKING(name, lower, upper, count) \
  DETOUR_FORTRAN_BY(run_opening, name, lower, upper, count)
#define DETOUR_FORTRAN_FREEING(name, lower, upper, count) \
  DETOUR_FORTRAN_BY(run_freeing, name, lower, upper, count)
#define DETOUR_FORTRAN_BEGIN(name, lower, upper, count) \
  DETOUR_FORTRAN_BY(run_begin, name, lower, upper, count)
#define DETOUR_FORTRAN_TEXT_BY(body, name, lower, upper, count)                                 \
  DETOUR_FORTRAN(                                                                               \
      mpi_##lower, MPI_##upper,                                                                 \
      (DETOUR_ADDRESSES_##count, MPI_Fint * error, std::size_t length1, std::size_t length2)) { \
    using Next = void (*)(DETOUR_ADDRESSES_##count, MPI_Fint*, std::size_t, std::size_t);       \
    static const auto next = next_in_fortran<Next>("mpi_" #lower "_");                          \
    const auto call = [&](MPI_Fint* place) {                                                    \
      next(DETOUR_ARGUMENTS_##count, place, length1, length2);                                  \
    };                                                                                          \
    using Function = decltype(&PMPI_##name);                                                    \
    const auto whole = [&] {                                                                    \
      return body<Function>("MPI_" #name, call, DETOUR_ARGUMENTS_##count);                      \
    };                                                                                          \
    store_error(error, reporting<Function>(whole, DETOUR_ARGUMENTS_##count));                   \
  }
#define DETOUR_FORTRAN_WITH_TEXT(name, lower, upper, count) \
  DETOUR_FORTRAN_TEXT_BY(run, name, lower, upper, count)
#define DETOUR_FORTRAN_OPENING(name, lower, upper, count) \
  DETOUR_FORTRAN_TEXT_BY(run_opening, name, lower, upper, count)

DETOUR_WINDOW_CALLS(DETOUR_FORTRAN_UNRECALLABLE)
DETOUR_FILE_CALLS(DETOUR_FORTRAN_UNRECALLABLE)
DETOUR_CONNECTING_CALLS(DETOUR_FORTRAN_UNRECALLABLE)
DETOUR_FREEING_CALLS(DETOUR_FORTRAN_FREEING)
DETOUR_CALLS_WITH_REQUEST(DETOUR_FORTRAN_BEGIN)
DETOUR_CALLS_WITH_TEXT(DETOUR_FORTRAN_WITH_TEXT)
DETOUR_WINDOW_MAKING_CALLS(DETOUR_FORTRAN_MAKING)
DETOUR_FILE_OPENING_CALLS(DETOUR_FORTRAN_OPENING)
