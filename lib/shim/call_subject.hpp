// What a call is about, a communicator, a window or a file, and who belongs to it.
//
// The same three functions for each kind:
//   dead_members   those that have died, by their ranks there; looked for only if anybody has died
//   members_of     ranks in MPI_COMM_WORLD; remembered for windows and files, whose every call asks
//   report         calls its error handler, and returns the error if that does
#pragma once

#include <mpi.h>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/call_watch.hpp"

namespace detour::shim {

std::vector<int> dead_members(MPI_Comm comm);
std::vector<int> dead_members(MPI_Win win);
std::vector<int> dead_members(MPI_File file);

WorldRanks members_of(MPI_Comm comm);
WorldRanks members_of(MPI_Win win);
WorldRanks members_of(MPI_File file);

int report(MPI_Comm comm, int error);
int report(MPI_Win win, int error);
int report(MPI_File file, int error);

// When one is freed: its handle may come back for another.
inline void forget_members(MPI_Comm) {}
void forget_members(MPI_Win win);
void forget_members(MPI_File file);

// Null handles are for MPI to complain about.
inline bool is_null(MPI_Comm comm) {
  return comm == MPI_COMM_NULL;
}
inline bool is_null(MPI_Win win) {
  return win == MPI_WIN_NULL;
}
inline bool is_null(MPI_File file) {
  return file == MPI_FILE_NULL;
}

// The first of those types among the parameters; `otherwise` if there is none.
template <class Types, class... Wanted>
constexpr std::size_t position_of_any(std::size_t otherwise) {
  std::size_t found = otherwise;
  [&]<std::size_t... at>(std::index_sequence<at...>) {
    const auto look = [&]<class Type>(std::size_t position, std::type_identity<Type>) {
      if (found == otherwise && (std::is_same_v<Type, Wanted> || ...)) found = position;
    };
    (look(at, std::type_identity<std::tuple_element_t<at, Types>>{}), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<Types>>{});
  return found;
}

// Where a function has its subject: the first handle that it takes or, if it takes none, the first whose
// address it takes, to take the object away.
template <class Types>
inline constexpr std::size_t subject_position = position_of_any<Types, MPI_Comm, MPI_Win, MPI_File>(
    position_of_any<Types, MPI_Comm*, MPI_Win*, MPI_File*>(std::tuple_size_v<Types>));

}  // namespace detour::shim
