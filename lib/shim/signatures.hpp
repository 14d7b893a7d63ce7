// Functions that take MPI's place without spelling out MPI's parameters: their types come from mpi.h.
//
//   DETOUR_REPLACES_MPI int MPI_Win_fence(DETOUR_PARAMETERS_2(PMPI_Win_fence)) {
//     return f(DETOUR_ARGUMENTS_2);
//   }
//
// A wrong number, or a function that mpi.h declares otherwise, does not compile.
#pragma once

#include <dlfcn.h>
#include <mpi.h>

#include <cstddef>
#include <tuple>

namespace detour::shim {

template <class Function>
struct Signature;
template <class... Parameters>
struct Signature<int (*)(Parameters...)> {
  using Types = std::tuple<Parameters...>;
};
template <class Function, std::size_t at>
using Parameter = std::tuple_element_t<at, typename Signature<Function>::Types>;

// The function behind ours: MPI's, or that of a tool that was loaded after this library.
template <class Function>
Function next_function(const char* name, Function otherwise) {
  void* const found = dlsym(RTLD_NEXT, name);
  return found != nullptr ? reinterpret_cast<Function>(found) : otherwise;
}

}  // namespace detour::shim

#define DETOUR_PARAMETER(function, at) ::detour::shim::Parameter<decltype(&function), at> a##at
#define DETOUR_PARAMETERS_1(f) DETOUR_PARAMETER(f, 0)
#define DETOUR_PARAMETERS_2(f) DETOUR_PARAMETERS_1(f), DETOUR_PARAMETER(f, 1)
#define DETOUR_PARAMETERS_3(f) DETOUR_PARAMETERS_2(f), DETOUR_PARAMETER(f, 2)
#define DETOUR_PARAMETERS_4(f) DETOUR_PARAMETERS_3(f), DETOUR_PARAMETER(f, 3)
#define DETOUR_PARAMETERS_5(f) DETOUR_PARAMETERS_4(f), DETOUR_PARAMETER(f, 4)
#define DETOUR_PARAMETERS_6(f) DETOUR_PARAMETERS_5(f), DETOUR_PARAMETER(f, 5)
#define DETOUR_PARAMETERS_7(f) DETOUR_PARAMETERS_6(f), DETOUR_PARAMETER(f, 6)
#define DETOUR_PARAMETERS_8(f) DETOUR_PARAMETERS_7(f), DETOUR_PARAMETER(f, 7)
#define DETOUR_PARAMETERS_9(f) DETOUR_PARAMETERS_8(f), DETOUR_PARAMETER(f, 8)
#define DETOUR_PARAMETERS_10(f) DETOUR_PARAMETERS_9(f), DETOUR_PARAMETER(f, 9)
#define DETOUR_PARAMETERS_11(f) DETOUR_PARAMETERS_10(f), DETOUR_PARAMETER(f, 10)
#define DETOUR_PARAMETERS_12(f) DETOUR_PARAMETERS_11(f), DETOUR_PARAMETER(f, 11)
#define DETOUR_PARAMETERS_13(f) DETOUR_PARAMETERS_12(f), DETOUR_PARAMETER(f, 12)

#define DETOUR_ARGUMENTS_1 a0
#define DETOUR_ARGUMENTS_2 DETOUR_ARGUMENTS_1, a1
#define DETOUR_ARGUMENTS_3 DETOUR_ARGUMENTS_2, a2
#define DETOUR_ARGUMENTS_4 DETOUR_ARGUMENTS_3, a3
#define DETOUR_ARGUMENTS_5 DETOUR_ARGUMENTS_4, a4
#define DETOUR_ARGUMENTS_6 DETOUR_ARGUMENTS_5, a5
#define DETOUR_ARGUMENTS_7 DETOUR_ARGUMENTS_6, a6
#define DETOUR_ARGUMENTS_8 DETOUR_ARGUMENTS_7, a7
#define DETOUR_ARGUMENTS_9 DETOUR_ARGUMENTS_8, a8
#define DETOUR_ARGUMENTS_10 DETOUR_ARGUMENTS_9, a9
#define DETOUR_ARGUMENTS_11 DETOUR_ARGUMENTS_10, a10
#define DETOUR_ARGUMENTS_12 DETOUR_ARGUMENTS_11, a11
#define DETOUR_ARGUMENTS_13 DETOUR_ARGUMENTS_12, a12

// The same for Fortran, which passes addresses.
#define DETOUR_ADDRESSES_1 void* a0
#define DETOUR_ADDRESSES_2 DETOUR_ADDRESSES_1, void* a1
#define DETOUR_ADDRESSES_3 DETOUR_ADDRESSES_2, void* a2
#define DETOUR_ADDRESSES_4 DETOUR_ADDRESSES_3, void* a3
#define DETOUR_ADDRESSES_5 DETOUR_ADDRESSES_4, void* a4
#define DETOUR_ADDRESSES_6 DETOUR_ADDRESSES_5, void* a5
#define DETOUR_ADDRESSES_7 DETOUR_ADDRESSES_6, void* a6
#define DETOUR_ADDRESSES_8 DETOUR_ADDRESSES_7, void* a7
#define DETOUR_ADDRESSES_9 DETOUR_ADDRESSES_8, void* a8
#define DETOUR_ADDRESSES_10 DETOUR_ADDRESSES_9, void* a9
#define DETOUR_ADDRESSES_11 DETOUR_ADDRESSES_10, void* a10
#define DETOUR_ADDRESSES_12 DETOUR_ADDRESSES_11, void* a11
#define DETOUR_ADDRESSES_13 DETOUR_ADDRESSES_12, void* a12
