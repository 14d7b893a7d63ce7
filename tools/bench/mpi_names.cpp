#include "bench/mpi_names.hpp"

#include <bit>

#include "detour/detour.h"

namespace detour::tool {

MPI_Datatype mpi_type(const NumberType& type) {
  const auto by_size = static_cast<std::size_t>(std::countr_zero(type.bytes));
  const MPI_Datatype signed_types[] = {MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_INT64_T};
  const MPI_Datatype unsigned_types[] = {MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T};
  switch (type.kind) {
    case NumberKind::signed_integer:
      return signed_types[by_size];
    case NumberKind::unsigned_integer:
      return unsigned_types[by_size];
    case NumberKind::brain_float:
      return DETOUR_BFLOAT16;
    default:
      if (type.bytes == 2) return DETOUR_FLOAT16;
      return type.bytes == 4 ? MPI_FLOAT : MPI_DOUBLE;
  }
}

MPI_Op mpi_op(Operation operation) {
  const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MIN,  MPI_MAX, MPI_BAND,
                        MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LOR, MPI_LXOR};
  return ops[static_cast<std::size_t>(operation)];
}

}  // namespace detour::tool
