#include "support/type_map.hpp"

#include <stdexcept>

namespace detour::test {
namespace {

MPI_Aint extent(MPI_Datatype type) {
  MPI_Aint lower_bound = 0;
  MPI_Aint bytes = 0;
  PMPI_Type_get_extent(type, &lower_bound, &bytes);
  return bytes;
}

// One datatype's arguments, and the list that its elements go to.
class Expansion {
 public:
  Expansion(MPI_Datatype type, std::vector<Basic>& map) : map_(map) {
    int counts[3];
    PMPI_Type_get_envelope(type, &counts[0], &counts[1], &counts[2], &combiner_);
    if (combiner_ == MPI_COMBINER_NAMED) {
      types_ = {type};
      return;
    }
    n_.resize(static_cast<std::size_t>(counts[0]));
    bytes_.resize(static_cast<std::size_t>(counts[1]));
    types_.resize(static_cast<std::size_t>(counts[2]));
    PMPI_Type_get_contents(type, counts[0], counts[1], counts[2], n_.data(), bytes_.data(),
                           types_.data());
  }

  Expansion(const Expansion&) = delete;
  Expansion& operator=(const Expansion&) = delete;

  ~Expansion() {
    for (MPI_Datatype& type : types_) {
      int counts[3];
      int combiner = 0;
      PMPI_Type_get_envelope(type, &counts[0], &counts[1], &counts[2], &combiner);
      if (combiner != MPI_COMBINER_NAMED) PMPI_Type_free(&type);
    }
  }

  void expand(MPI_Aint base) {
    base_ = base;
    switch (combiner_) {
      case MPI_COMBINER_NAMED:
        return named();
      case MPI_COMBINER_DUP:
      case MPI_COMBINER_RESIZED:
        return block(0, 0, 1);
      case MPI_COMBINER_CONTIGUOUS:
        return block(0, 0, n_[0]);
      case MPI_COMBINER_VECTOR:
        for (int i = 0; i < n_[0]; ++i) block(0, i * n_[2] * extent(types_[0]), n_[1]);
        return;
      case MPI_COMBINER_HVECTOR:
        for (int i = 0; i < n_[0]; ++i) block(0, i * bytes_[0], n_[1]);
        return;
      case MPI_COMBINER_SUBARRAY:
        return subarray();
      case MPI_COMBINER_DARRAY:
        return darray();
      default:
        return listed();
    }
  }

 private:
  void block(std::size_t part, MPI_Aint offset_bytes, int count) {
    for (int i = 0; i < count; ++i) {
      Expansion(types_[part], map_).expand(base_ + offset_bytes + i * extent(types_[part]));
    }
  }

  // Of a pair, the second half is an int at the end.
  void named() {
    int bytes = 0;
    MPI_Aint first = 0;
    MPI_Aint span = 0;
    PMPI_Type_size(types_[0], &bytes);
    PMPI_Type_get_true_extent(types_[0], &first, &span);
    const bool gap = span != bytes;
    map_.push_back({base_, static_cast<std::size_t>(gap ? bytes - 4 : bytes)});
    if (gap) map_.push_back({base_ + span - 4, 4});
  }

  void listed() {
    for (std::size_t i = 0, n = static_cast<std::size_t>(n_[0]); i < n; ++i) {
      switch (combiner_) {
        case MPI_COMBINER_INDEXED:
          block(0, n_[1 + n + i] * extent(types_[0]), n_[1 + i]);
          break;
        case MPI_COMBINER_HINDEXED:
          block(0, bytes_[i], n_[1 + i]);
          break;
        case MPI_COMBINER_INDEXED_BLOCK:
          block(0, n_[2 + i] * extent(types_[0]), n_[1]);
          break;
        case MPI_COMBINER_HINDEXED_BLOCK:
          block(0, bytes_[i], n_[1]);
          break;
        case MPI_COMBINER_STRUCT:
          block(i, bytes_[i], n_[1 + i]);
          break;
        default:
          throw std::runtime_error("an unknown combiner");
      }
    }
  }

  // Visits the whole array in memory's order and asks for each cell whether it is chosen.
  template <class Chosen>
  void array(std::size_t dimensions, const int* sizes, bool fortran, Chosen chosen) {
    int cells = 1;
    for (std::size_t d = 0; d < dimensions; ++d) cells *= sizes[d];
    for (int cell = 0; cell < cells; ++cell) {
      int rest = cell;
      bool all = true;
      for (std::size_t i = 0; i < dimensions; ++i) {
        const std::size_t d = fortran ? i : dimensions - 1 - i;
        all = chosen(d, rest % sizes[d]) && all;
        rest /= sizes[d];
      }
      if (all) block(0, cell * extent(types_[0]), 1);
    }
  }

  void subarray() {
    const auto n = static_cast<std::size_t>(n_[0]);
    const int* part = &n_[1 + n];
    const int* start = &n_[1 + 2 * n];
    array(n, &n_[1], n_[1 + 3 * n] == MPI_ORDER_FORTRAN, [&](std::size_t d, int index) {
      return index >= start[d] && index < start[d] + part[d];
    });
  }

  void darray() {
    const auto n = static_cast<std::size_t>(n_[2]);
    const int* size = &n_[3];
    const int* kind = &n_[3 + n];
    const int* argument = &n_[3 + 2 * n];
    const int* processes = &n_[3 + 3 * n];
    std::vector<int> position(n);
    int rank = n_[1];
    for (std::size_t d = n; d-- > 0; rank /= processes[d]) position[d] = rank % processes[d];
    array(n, size, n_[3 + 4 * n] == MPI_ORDER_FORTRAN, [&](std::size_t d, int index) {
      int length = argument[d];
      if (length == MPI_DISTRIBUTE_DFLT_DARG) {
        length = kind[d] == MPI_DISTRIBUTE_CYCLIC ? 1 : (size[d] - 1) / processes[d] + 1;
      }
      return (index / length) % processes[d] == position[d];
    });
  }

  std::vector<Basic>& map_;
  int combiner_ = 0;
  std::vector<int> n_;
  std::vector<MPI_Aint> bytes_;
  std::vector<MPI_Datatype> types_;
  MPI_Aint base_ = 0;
};

}  // namespace

std::vector<Basic> type_map(MPI_Datatype type, int count) {
  std::vector<Basic> map;
  for (int i = 0; i < count; ++i) {
    Expansion(type, map).expand(i * extent(type));
  }
  return map;
}

}  // namespace detour::test
