#include "support/mpi_types.hpp"

#define NAMED(handle) {handle, #handle},

namespace detour::test {

// Open MPI on Debian has all of these.
std::vector<NamedType> predefined_types() {
  return {
      NAMED(MPI_CHAR) NAMED(MPI_SIGNED_CHAR) NAMED(MPI_UNSIGNED_CHAR) NAMED(MPI_BYTE) NAMED(
          MPI_PACKED) NAMED(MPI_WCHAR) NAMED(MPI_SHORT) NAMED(MPI_UNSIGNED_SHORT) NAMED(MPI_INT)
          NAMED(MPI_UNSIGNED) NAMED(MPI_LONG) NAMED(MPI_UNSIGNED_LONG) NAMED(MPI_LONG_LONG) NAMED(
              MPI_UNSIGNED_LONG_LONG) NAMED(MPI_INT8_T) NAMED(MPI_INT16_T) NAMED(MPI_INT32_T)
              NAMED(MPI_INT64_T) NAMED(MPI_UINT8_T) NAMED(MPI_UINT16_T) NAMED(MPI_UINT32_T) NAMED(
                  MPI_UINT64_T) NAMED(MPI_AINT) NAMED(MPI_OFFSET) NAMED(MPI_COUNT) NAMED(MPI_C_BOOL)
                  NAMED(MPI_CXX_BOOL) NAMED(MPI_FLOAT) NAMED(MPI_DOUBLE) NAMED(MPI_LONG_DOUBLE)
                      NAMED(MPI_C_FLOAT_COMPLEX) NAMED(MPI_C_DOUBLE_COMPLEX) NAMED(
                          MPI_C_LONG_DOUBLE_COMPLEX) NAMED(MPI_CXX_FLOAT_COMPLEX)
                          NAMED(MPI_CXX_DOUBLE_COMPLEX) NAMED(MPI_CXX_LONG_DOUBLE_COMPLEX) NAMED(
                              MPI_FLOAT_INT) NAMED(MPI_DOUBLE_INT) NAMED(MPI_LONG_INT)
                              NAMED(MPI_2INT) NAMED(MPI_SHORT_INT) NAMED(MPI_LONG_DOUBLE_INT) NAMED(
                                  MPI_CHARACTER) NAMED(MPI_LOGICAL) NAMED(MPI_LOGICAL1)
                                  NAMED(MPI_LOGICAL2) NAMED(MPI_LOGICAL4) NAMED(MPI_LOGICAL8) NAMED(
                                      MPI_INTEGER) NAMED(MPI_INTEGER1) NAMED(MPI_INTEGER2)
                                      NAMED(MPI_INTEGER4) NAMED(MPI_INTEGER8) NAMED(MPI_REAL)
                                          NAMED(MPI_REAL4) NAMED(MPI_REAL8) NAMED(MPI_REAL16)
                                              NAMED(MPI_DOUBLE_PRECISION) NAMED(MPI_COMPLEX)
                                                  NAMED(MPI_COMPLEX8) NAMED(MPI_COMPLEX16)
                                                      NAMED(MPI_COMPLEX32) NAMED(MPI_DOUBLE_COMPLEX)
                                                          NAMED(MPI_2INTEGER) NAMED(MPI_2REAL)
                                                              NAMED(MPI_2DOUBLE_PRECISION)
                                                                  NAMED(MPI_2COMPLEX)
                                                                      NAMED(MPI_2DOUBLE_COMPLEX)};
}

std::vector<NamedOp> predefined_ops() {
  return {NAMED(MPI_SUM) NAMED(MPI_PROD) NAMED(MPI_MIN) NAMED(MPI_MAX) NAMED(MPI_LAND)
              NAMED(MPI_LOR) NAMED(MPI_LXOR) NAMED(MPI_BAND) NAMED(MPI_BOR) NAMED(MPI_BXOR)
                  NAMED(MPI_MINLOC) NAMED(MPI_MAXLOC) NAMED(MPI_REPLACE) NAMED(MPI_NO_OP)};
}

}  // namespace detour::test
