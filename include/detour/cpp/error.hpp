// How the C++ interface tells of errors: std::error_code with MPI's codes, or an exception that holds one.
#pragma once

#include <mpi.h>

#include <string>
#include <system_error>

#include "detour/detour.h"

namespace detour {
// Apart from names of the library's inside, but to be used as detour::Error and so on.
inline namespace cpp {

// The class (MPI_ERR_COUNT, ...) that an error code belongs to.
inline int error_class(int mpi_error) {
  int result = MPI_ERR_UNKNOWN;
  MPI_Error_class(mpi_error, &result);
  return result;
}

// The category of MPI's error codes. Messages are MPI's.
inline const std::error_category& mpi_category() {
  class Category final : public std::error_category {
    const char* name() const noexcept override { return "MPI"; }
    std::string message(int mpi_error) const override {
      char text[MPI_MAX_ERROR_STRING] = {};
      int length = 0;
      MPI_Error_string(mpi_error, text, &length);
      return {text, static_cast<std::size_t>(length)};
    }
  };
  static const Category category;
  return category;
}

// False, as a condition, for MPI_SUCCESS.
inline std::error_code make_error_code(int mpi_error) {
  return {mpi_error, mpi_category()};
}

// Whether the operation failed because a rank has died: the program may go on among the others.
inline bool is_process_failure(const std::error_code& code) {
  return code && code.category() == mpi_category() &&
         error_class(code.value()) == Detour_Process_failed_class();
}

// What functions without try_ throw. what() names the operation and has MPI's words.
class Error : public std::system_error {
 public:
  Error(std::error_code code, const char* operation)
      : std::system_error(code, std::string("detour: ") + operation) {}

  // MPI_ERR_COUNT and the like.
  int mpi_class() const { return error_class(code().value()); }
  bool is_process_failure() const { return cpp::is_process_failure(code()); }
};

inline void throw_if(std::error_code code, const char* operation) {
  if (code) throw Error(code, operation);
}

}  // namespace cpp
}  // namespace detour
