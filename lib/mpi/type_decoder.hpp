// Takes a datatype apart, down to the predefined ones that it was made from.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>

#include "collectives/element_type.hpp"
#include "mpi/pattern.hpp"

namespace detour {

struct DecodedType {
  PatternRef pattern;  // of one instance
  // The element that the packed bytes are an array of, if they are.
  std::optional<ElementType> element;
};

// Throws std::runtime_error for a datatype made in a way that this library does not know: MPI up to
// version 4.0 has none.
DecodedType decode(MPI_Datatype type);

std::ptrdiff_t extent_bytes(MPI_Datatype type);

// How a datatype was made: an MPI_COMBINER_ constant.
int combiner_of(MPI_Datatype type);

}  // namespace detour
