// What is known about a derived datatype, worked out once and kept with the datatype itself: MPI
// throws it away when the datatype goes, so that a new one at the same address starts afresh.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <optional>

#include "collectives/element_type.hpp"
#include "detour/routing/api.hpp"
#include "mpi/pattern.hpp"

namespace detour {

struct TypeDescription {
  PatternRef pattern;  // of one instance
  std::ptrdiff_t extent_bytes = 0;
  // The element that the packed bytes are an array of, if they are.
  std::optional<ElementType> element;
  // The element that predefined operations take this datatype for; none for most derived ones.
  std::optional<ElementType> as_element;
};

using DescriptionRef = std::shared_ptr<const TypeDescription>;

// Any datatype but MPI_DATATYPE_NULL. What it returns stays valid after the datatype is freed: an
// operation may be under way. Callable from several threads at once.
DETOUR_API DescriptionRef type_description(MPI_Datatype type);

void describe_as_element(MPI_Datatype type, ElementType element);

// Whether communication may use the datatype. MPI has no call that tells.
DETOUR_API bool is_committed(MPI_Datatype type);

// Gives back what this file holds of MPI's objects; to be called before PMPI_Finalize.
DETOUR_API void release_type_cache();

}  // namespace detour
