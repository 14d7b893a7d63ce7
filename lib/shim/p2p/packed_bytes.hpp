// The bytes of a message in memory of the library's own. There may be more of them than an int can count.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace detour::shim {

// Of a good datatype and count.
std::size_t packed_bytes_of(int count, MPI_Datatype type);

// Packed bytes as the arguments of a send have them: more than an int can count are one element of a datatype of their own,
// which ends with this.
class PackedArguments {
 public:
  explicit PackedArguments(std::size_t bytes);
  ~PackedArguments();
  PackedArguments(const PackedArguments&) = delete;
  PackedArguments& operator=(const PackedArguments&) = delete;

  int count() const { return count_; }
  MPI_Datatype type() const { return type_; }

 private:
  int count_ = 1;
  MPI_Datatype type_ = MPI_PACKED;
};

}  // namespace detour::shim
