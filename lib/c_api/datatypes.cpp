#include <mutex>

#include "detour/detour.h"
#include "mpi/element_types.hpp"

namespace {

// Two bytes that operations take for a number. Freed with everything else of MPI's by MPI_Finalize.
MPI_Datatype make_type(detour::ElementType element, const char* name) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  PMPI_Type_contiguous(2, MPI_BYTE, &type);
  PMPI_Type_set_name(type, name);
  PMPI_Type_commit(&type);
  detour::set_element_type(type, element);
  return type;
}

}  // namespace

MPI_Datatype Detour_Float16(void) {
  static const MPI_Datatype type = make_type(detour::ElementType::float16, "DETOUR_FLOAT16");
  return type;
}

MPI_Datatype Detour_Bfloat16(void) {
  static const MPI_Datatype type = make_type(detour::ElementType::bfloat16, "DETOUR_BFLOAT16");
  return type;
}

const char* Detour_Version(void) {
  return DETOUR_VERSION;
}
