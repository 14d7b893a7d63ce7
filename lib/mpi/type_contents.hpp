// The arguments that a derived datatype was made with.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

namespace detour {

class TypeContents {
 public:
  explicit TypeContents(MPI_Datatype type);
  ~TypeContents();
  TypeContents(const TypeContents&) = delete;
  TypeContents& operator=(const TypeContents&) = delete;

  int combiner() const { return combiner_; }
  const std::vector<MPI_Datatype>& types() const { return types_; }
  std::ptrdiff_t address(std::size_t i) const { return addresses_[i]; }
  std::ptrdiff_t integer(std::size_t i) const { return integers_[i]; }
  std::size_t count(std::size_t i) const { return static_cast<std::size_t>(integers_[i]); }
  std::span<const int> integers(std::size_t first, std::size_t how_many) const {
    return std::span(integers_).subspan(first, how_many);
  }

 private:
  int combiner_ = MPI_COMBINER_NAMED;
  std::vector<int> integers_;
  std::vector<MPI_Aint> addresses_;
  std::vector<MPI_Datatype> types_;
};

// Predefined datatypes, named or not, have no contents to take apart.
bool is_predefined_combiner(int combiner);

}  // namespace detour
