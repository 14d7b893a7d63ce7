#include "mpi_elements.hpp"

#include <cstring>

#include "words.hpp"

namespace detour::kills {
namespace {

// Both are called by MPI, whose types have no const.
void join(void* left, void* right, int* count, MPI_Datatype*) {
  const auto* const from = static_cast<const Word*>(left);
  auto* const to = static_cast<Word*>(right);
  for (int at = 0; at < *count; ++at) to[at] = joined(from[at], to[at]);
}

void add_spread(void* left, void* right, int* count, MPI_Datatype*) {
  for (int at = 0; at < *count; ++at) {
    const std::size_t offset = static_cast<std::size_t>(at) * spread_bytes;
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    std::memcpy(&from, static_cast<std::byte*>(left) + offset, sizeof from);
    std::memcpy(&to, static_cast<std::byte*>(right) + offset, sizeof to);
    to += from;
    std::memcpy(static_cast<std::byte*>(right) + offset, &to, sizeof to);
  }
}

}  // namespace

MpiElements::MpiElements() {
  MPI_Type_contiguous(3, MPI_UINT64_T, &word_);
  MPI_Type_commit(&word_);
  MPI_Type_create_resized(MPI_UINT64_T, 0, spread_bytes, &spread_);
  MPI_Type_commit(&spread_);
  MPI_Op_create(join, 0, &join_);
  MPI_Op_create(add_spread, 1, &add_spread_);
}

MpiElements::~MpiElements() {
  MPI_Type_free(&word_);
  MPI_Type_free(&spread_);
  MPI_Op_free(&join_);
  MPI_Op_free(&add_spread_);
}

MPI_Datatype MpiElements::type(std::size_t number) const {
  switch (static_cast<ElementNumber>(number)) {
    case ElementNumber::uint64:
      return MPI_UINT64_T;
    case ElementNumber::int32:
      return MPI_INT32_T;
    case ElementNumber::real64:
      return MPI_DOUBLE;
    case ElementNumber::real32:
      return MPI_FLOAT;
    case ElementNumber::bits:
      return MPI_UINT16_T;
    case ElementNumber::words:
      return word_;
    case ElementNumber::spread:
      return spread_;
  }
  return MPI_DATATYPE_NULL;
}

MPI_Op MpiElements::operation(std::size_t number) const {
  switch (static_cast<ElementNumber>(number)) {
    case ElementNumber::bits:
      return MPI_BOR;
    case ElementNumber::words:
      return join_;
    case ElementNumber::spread:
      return add_spread_;
    default:
      return MPI_SUM;
  }
}

}  // namespace detour::kills
