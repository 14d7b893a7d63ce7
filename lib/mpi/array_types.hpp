// The parts of an array that MPI_Type_create_subarray and MPI_Type_create_darray choose.
#pragma once

#include <cstddef>

#include "mpi/pattern.hpp"
#include "mpi/type_contents.hpp"

namespace detour {

// Both take an array's element, and its distance to the next one.
PatternRef subarray_pattern(const TypeContents& contents, PatternRef element,
                            std::ptrdiff_t element_stride_bytes);
PatternRef darray_pattern(const TypeContents& contents, PatternRef element,
                          std::ptrdiff_t element_stride_bytes);

}  // namespace detour
