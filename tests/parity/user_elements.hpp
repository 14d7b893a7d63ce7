// Operations of a user's, on derived datatypes with and without gaps.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "elements.hpp"

namespace detour::parity {

struct UserReduction {
  std::string type_name;
  std::string op_name;
  MPI_Datatype type;
  MPI_Op op;
  std::unique_ptr<Elements> elements;
};

// The types and operations are the caller's, to be freed before MPI ends.
std::vector<UserReduction> user_reductions();

}  // namespace detour::parity
