#include "shim/p2p/packed_bytes.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace detour::shim {
namespace {

MPI_Datatype make_type_of(std::size_t bytes) {
  constexpr std::size_t block_bytes = std::size_t{1} << 30;
  std::vector<int> lengths;
  std::vector<MPI_Aint> displacements;
  for (std::size_t at = 0; at < bytes; at += block_bytes) {
    lengths.push_back(static_cast<int>(std::min(block_bytes, bytes - at)));
    displacements.push_back(static_cast<MPI_Aint>(at));
  }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  PMPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), displacements.data(),
                            MPI_PACKED, &type);
  PMPI_Type_commit(&type);
  return type;
}

}  // namespace

std::size_t packed_bytes_of(int count, MPI_Datatype type) {
  MPI_Count bytes = 0;
  PMPI_Type_size_x(type, &bytes);
  return static_cast<std::size_t>(bytes) * static_cast<std::size_t>(count);
}

PackedArguments::PackedArguments(std::size_t bytes) {
  if (bytes <= static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    count_ = static_cast<int>(bytes);
  } else {
    type_ = make_type_of(bytes);
  }
}

PackedArguments::~PackedArguments() {
  if (type_ != MPI_PACKED) PMPI_Type_free(&type_);
}

}  // namespace detour::shim
