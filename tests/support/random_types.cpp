#include "support/random_types.hpp"

#include <functional>
#include <vector>

namespace detour::test {
namespace {

class Builder {
 public:
  Builder(std::mt19937& random, Variety variety)
      : random_(random), least_(variety == Variety::plain ? 1 : 0) {}

  MPI_Datatype build(int depth) {
    if (depth == 0) {
      return named();
    }
    std::vector<MPI_Datatype> parts{build(depth - 1)};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    switch (between(0, 12)) {
      case 0:
        PMPI_Type_dup(parts[0], &type);
        break;
      case 1:
        PMPI_Type_contiguous(count(4), parts[0], &type);
        break;
      case 2:
        vector(parts[0], &type);
        break;
      case 3:
        PMPI_Type_create_hvector(count(4), count(3), stride_bytes(), parts[0], &type);
        break;
      case 4:
        indexed(parts[0], &type);
        break;
      case 5:
        hindexed(parts[0], &type);
        break;
      case 6: {
        const std::vector<int> offsets = list(count(4), -4, 6);
        PMPI_Type_create_indexed_block(length(offsets), count(3), offsets.data(), parts[0], &type);
        break;
      }
      case 7: {
        const std::vector<MPI_Aint> offsets = addresses(count(4));
        PMPI_Type_create_hindexed_block(length(offsets), count(3), offsets.data(), parts[0], &type);
        break;
      }
      case 8:
      case 9:
        structure(depth, parts, &type);
        break;
      case 10:
        PMPI_Type_create_resized(parts[0], between(-8, 8), between(0, 64), &type);
        break;
      case 11:
        subarray(parts[0], &type);
        break;
      default:
        darray(parts[0], &type);
        break;
    }
    for (MPI_Datatype& part : parts) {
      release(part);
    }
    return type;
  }

 private:
  int between(int first, int last) {
    return std::uniform_int_distribution<int>(first, last)(random_);
  }

  // Of parts; none at all is a count too, unless plain types are asked for.
  int count(int most) { return between(least_, most); }

  MPI_Aint stride_bytes() {
    const int bytes = between(-40, 40);
    return bytes == -1 && least_ > 0 ? 1 : bytes;
  }

  static bool is_empty(MPI_Datatype type) {
    int bytes = 0;
    PMPI_Type_size(type, &bytes);
    return bytes == 0;
  }

  std::vector<int> list(int how_many, int first, int last) {
    std::vector<int> values(static_cast<std::size_t>(how_many));
    for (int& value : values) value = between(first, last);
    return values;
  }

  std::vector<MPI_Aint> addresses(int how_many) {
    const std::vector<int> values = list(how_many, -50, 80);
    return {values.begin(), values.end()};
  }

  template <class Values>
  static int length(const Values& values) {
    return static_cast<int>(values.size());
  }

  MPI_Datatype named() {
    const MPI_Datatype types[] = {MPI_CHAR,   MPI_SHORT,     MPI_INT,        MPI_FLOAT,
                                  MPI_DOUBLE, MPI_SHORT_INT, MPI_DOUBLE_INT, MPI_LONG_DOUBLE_INT,
                                  MPI_WCHAR,  MPI_BYTE,      MPI_2INT,       MPI_C_DOUBLE_COMPLEX};
    return types[between(0, 11)];
  }

  static void release(MPI_Datatype& type) {
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = 0;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED) {
      PMPI_Type_free(&type);
    }
  }

  // A stride of -1 times a datatype of one byte is the same fault.
  void vector(MPI_Datatype part, MPI_Datatype* type) {
    const int stride = between(-5, 5);
    PMPI_Type_vector(count(4), count(3), least_ > 0 && stride == -1 ? -2 : stride, part, type);
  }

  void indexed(MPI_Datatype part, MPI_Datatype* type) {
    const int n = count(4);
    const std::vector<int> lengths = list(n, least_, 3);
    const std::vector<int> offsets = list(n, -4, 6);
    PMPI_Type_indexed(n, lengths.data(), offsets.data(), part, type);
  }

  void hindexed(MPI_Datatype part, MPI_Datatype* type) {
    const int n = count(4);
    const std::vector<int> lengths = list(n, least_, 3);
    PMPI_Type_create_hindexed(n, lengths.data(), addresses(n).data(), part, type);
  }

  void structure(int depth, std::vector<MPI_Datatype>& parts, MPI_Datatype* type) {
    const int n = between(1, 3);
    while (length(parts) < n) {
      parts.push_back(build(between(0, depth - 1)));
    }
    const std::vector<int> lengths = list(n, least_, 3);
    PMPI_Type_create_struct(n, lengths.data(), addresses(n).data(), parts.data(), type);
  }

  void subarray(MPI_Datatype part, MPI_Datatype* type) {
    const int n = between(1, 3);
    const std::vector<int> sizes = list(n, 1, 4);
    std::vector<int> part_sizes;
    std::vector<int> starts;
    for (int size : sizes) {
      part_sizes.push_back(between(1, size));
      starts.push_back(between(0, size - part_sizes.back()));
    }
    PMPI_Type_create_subarray(n, sizes.data(), part_sizes.data(), starts.data(), order(), part,
                              type);
  }

  // Open MPI refuses to distribute nothing, and some processes get nothing.
  void darray(MPI_Datatype part, MPI_Datatype* type) {
    if (is_empty(part)) {
      PMPI_Type_dup(part, type);
      return;
    }
    distribute(part, type);
    while (least_ > 0 && is_empty(*type)) {
      PMPI_Type_free(type);
      distribute(part, type);
    }
  }

  void distribute(MPI_Datatype part, MPI_Datatype* type) {
    const int n = between(1, 3);
    const std::vector<int> sizes = list(n, 1, 7);
    std::vector<int> kinds;
    std::vector<int> arguments;
    std::vector<int> processes;
    int process_count = 1;
    for (int size : sizes) {
      const int kind = between(0, 2);
      processes.push_back(kind == 0 ? 1 : between(1, 3));
      process_count *= processes.back();
      kinds.push_back(kind == 0   ? MPI_DISTRIBUTE_NONE
                      : kind == 1 ? MPI_DISTRIBUTE_BLOCK
                                  : MPI_DISTRIBUTE_CYCLIC);
      const int block_min = kind == 1 ? (size + processes.back() - 1) / processes.back() : 1;
      arguments.push_back(kind == 0 || between(0, 1) == 0 ? MPI_DISTRIBUTE_DFLT_DARG
                                                          : between(block_min, block_min + 2));
    }
    PMPI_Type_create_darray(process_count, between(0, process_count - 1), n, sizes.data(),
                            kinds.data(), arguments.data(), processes.data(), order(), part, type);
  }

  int order() { return between(0, 1) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN; }

  std::mt19937& random_;
  int least_;
};

}  // namespace

MPI_Datatype random_type(std::mt19937& random, int depth, Variety variety) {
  return Builder(random, variety).build(depth);
}

}  // namespace detour::test
