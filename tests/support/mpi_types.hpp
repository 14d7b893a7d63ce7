// All predefined datatypes and operations of MPI, by name.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace detour::test {

struct NamedType {
  MPI_Datatype type;
  std::string name;
};

struct NamedOp {
  MPI_Op op;
  std::string name;
};

std::vector<NamedType> predefined_types();
std::vector<NamedOp> predefined_ops();

}  // namespace detour::test
