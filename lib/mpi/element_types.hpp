// Which elements MPI's predefined datatypes stand for, and which operations they allow.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>

#include "collectives/element_type.hpp"
#include "collectives/reduce_op.hpp"
#include "detour/routing/api.hpp"

namespace detour {

// The element of a named datatype of C, C++ or Fortran; none for a derived one, and for the few that
// no operation takes (MPI_PACKED, MPI_WCHAR, pairs of complex numbers).
DETOUR_API std::optional<ElementType> named_element_type(MPI_Datatype type);

// The element of a datatype that is predefined without a name, made by MPI_Type_create_f90_real or one
// of its like, given how it was made (MPI_COMBINER_F90_...).
std::optional<ElementType> unnamed_element_type(int combiner, std::size_t bytes) noexcept;

// Of a named or unnamed predefined datatype, or of one that set_element_type was told about.
DETOUR_API std::optional<ElementType> element_type_of(MPI_Datatype type);

// From now on predefined operations work on this datatype, as on elements of the given type. It is
// how 16-bit floats get a datatype. The datatype has to be as large as the element.
DETOUR_API void set_element_type(MPI_Datatype type, ElementType element);

// Whether a predefined operation takes this datatype: what MPI 3.1 allows in section 5.9.2, and what
// Open MPI takes beyond it, so that programs which run there run here. These are MPI_CHAR,
// MPI_CHARACTER and MPI_BYTE as integers, and LOGICAL of 1, 2 and 8 bytes likewise.
DETOUR_API bool is_allowed(ReduceOp op, MPI_Datatype type);

}  // namespace detour
