// MPI's collective operations that libdetour has none for, and nonblocking forms of those it has, for Fortran.
//
// Which address is of what is known from C's parameters, which are the same in the same order.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "shim/fortran/arguments.hpp"
#include "shim/fortran/names.hpp"
#include "shim/guarded_forms.hpp"
#include "shim/neighbours.hpp"
#include "shim/reporting_exceptions.hpp"

using namespace detour::shim;

namespace {

template <class Type>
Type from_fortran(void* address) {
  if constexpr (std::is_same_v<Type, int>) {
    return *static_cast<const MPI_Fint*>(address);
  } else if constexpr (std::is_same_v<Type, MPI_Comm>) {
    return comm_of(static_cast<const MPI_Fint*>(address));
  } else if constexpr (std::is_same_v<Type, MPI_Datatype>) {
    return type_of(static_cast<const MPI_Fint*>(address));
  } else if constexpr (std::is_same_v<Type, MPI_Op>) {
    return op_of(static_cast<const MPI_Fint*>(address));
  } else if constexpr (std::is_same_v<Type, void*> || std::is_same_v<Type, const void*>) {
    return buffer_of(address);
  } else {
    static_assert(std::is_same_v<Type, const int*> || std::is_same_v<Type, const MPI_Aint*>);
    return static_cast<Type>(address);
  }
}

template <class Collective>
using ParametersOf = typename Signature<decltype(Collective::blocking())>::Types;

// C's arguments, from one address for each.
template <class Collective, class... Addresses>
auto convert(Addresses... addresses) {
  const std::array<void*, sizeof...(Addresses)> all{addresses...};
  return [&]<std::size_t... at>(std::index_sequence<at...>) {
    return std::make_tuple(
        from_fortran<std::tuple_element_t<at, ParametersOf<Collective>>>(all[at])...);
  }
  (std::index_sequence_for<Addresses...>{});
}

template <class Collective, class Arguments>
int run(const Arguments& arguments) {
  return std::apply(Guarded<Collective>::run, arguments);
}

template <class Collective, class Arguments>
int begin(const Arguments& arguments, MPI_Fint* request) {
  MPI_Request made = MPI_REQUEST_NULL;
  const int result = std::apply(
      [&](auto... each) { return Guarded<Collective>::begin(each..., &made); }, arguments);
  if (result == MPI_SUCCESS) *request = PMPI_Request_c2f(made);
  return result;
}

// Lists of datatypes, for which there may be no memory. They have other handles in Fortran. That of a call in place
// means nothing.
class TypeLists {
 public:
  TypeLists(const void* sendbuf, const void* send, const void* receive, Neighbours neighbours) {
    if (buffer_of(sendbuf) != MPI_IN_PLACE)
      send_ = convert_list(send, neighbours.destination_count);
    receive_ = convert_list(receive, neighbours.source_count);
  }
  const MPI_Datatype* send() const { return send_.data(); }
  const MPI_Datatype* receive() const { return receive_.data(); }

 private:
  static std::vector<MPI_Datatype> convert_list(const void* address, int count) {
    const auto* const types = static_cast<const MPI_Fint*>(address);
    std::vector<MPI_Datatype> list(static_cast<std::size_t>(count));
    std::transform(types, types + count, list.begin(), PMPI_Type_f2c);
    return list;
  }

  std::vector<MPI_Datatype> send_;
  std::vector<MPI_Datatype> receive_;
};

// In an operation of all with all, everybody of the group, or of the other group.
Neighbours peers_in(MPI_Comm comm) {
  int is_between_groups = 0;
  int count = 0;
  PMPI_Comm_test_inter(comm, &is_between_groups);
  (is_between_groups != 0 ? PMPI_Comm_remote_size : PMPI_Comm_size)(comm, &count);
  return {count, count};
}

template <class Displacement>
auto convert_with_types(const TypeLists& types, void* sendbuf, void* sendcounts, void* sdispls,
                        void* recvbuf, void* recvcounts, void* rdispls, MPI_Comm comm) {
  return std::make_tuple(from_fortran<const void*>(sendbuf), from_fortran<const int*>(sendcounts),
                         from_fortran<const Displacement*>(sdispls), types.send(),
                         from_fortran<void*>(recvbuf), from_fortran<const int*>(recvcounts),
                         from_fortran<const Displacement*>(rdispls), types.receive(), comm);
}

}  // namespace

#define DETOUR_BLOCKING(name, lower, upper, count)                                           \
  DETOUR_FORTRAN(mpi_##lower, MPI_##upper, (DETOUR_ADDRESSES_##count, MPI_Fint * error)) {   \
    store_error(error,                                                                       \
                run<collective::name>(convert<collective::name>(DETOUR_ARGUMENTS_##count))); \
  }
#define DETOUR_NONBLOCKING(name, lower, upper, count)                                      \
  DETOUR_FORTRAN(mpi_i##lower, MPI_I##upper,                                               \
                 (DETOUR_ADDRESSES_##count, MPI_Fint * request, MPI_Fint * error)) {       \
    store_error(error, begin<collective::name>(                                            \
                           convert<collective::name>(DETOUR_ARGUMENTS_##count), request)); \
  }
DETOUR_OTHER_COLLECTIVES(DETOUR_BLOCKING)
DETOUR_OTHER_COLLECTIVES(DETOUR_NONBLOCKING)
DETOUR_OWN_COLLECTIVES(DETOUR_NONBLOCKING)

#define DETOUR_BLOCKING_OF_TYPES(name, lower, upper, peers, displacement)                     \
  DETOUR_FORTRAN(mpi_##lower, MPI_##upper, (DETOUR_ADDRESSES_9, MPI_Fint * error)) {          \
    const MPI_Comm comm = from_fortran<MPI_Comm>(a8);                                         \
    store_error(error, reporting_exceptions(comm, [&] {                                       \
                  const TypeLists types(a0, a3, a7, peers(comm));                             \
                  return run<collective::name>(                                               \
                      convert_with_types<displacement>(types, a0, a1, a2, a4, a5, a6, comm)); \
                }));                                                                          \
  }
#define DETOUR_NONBLOCKING_OF_TYPES(name, lower, upper, peers, displacement)                 \
  DETOUR_FORTRAN(mpi_i##lower, MPI_I##upper,                                                 \
                 (DETOUR_ADDRESSES_9, MPI_Fint * request, MPI_Fint * error)) {               \
    const MPI_Comm comm = from_fortran<MPI_Comm>(a8);                                        \
    store_error(error, reporting_exceptions(comm, [&] {                                      \
                  const TypeLists types(a0, a3, a7, peers(comm));                            \
                  return begin<collective::name>(                                            \
                      convert_with_types<displacement>(types, a0, a1, a2, a4, a5, a6, comm), \
                      request);                                                              \
                }));                                                                         \
  }
DETOUR_BLOCKING_OF_TYPES(Alltoallw, alltoallw, ALLTOALLW, peers_in, int)
DETOUR_NONBLOCKING_OF_TYPES(Alltoallw, alltoallw, ALLTOALLW, peers_in, int)
DETOUR_BLOCKING_OF_TYPES(Neighbor_alltoallw, neighbor_alltoallw, NEIGHBOR_ALLTOALLW, neighbours_in,
                         MPI_Aint)
DETOUR_NONBLOCKING_OF_TYPES(Neighbor_alltoallw, neighbor_alltoallw, NEIGHBOR_ALLTOALLW,
                            neighbours_in, MPI_Aint)
