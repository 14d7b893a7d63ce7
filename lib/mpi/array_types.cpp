#include "mpi/array_types.hpp"

#include <mpi.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace detour {
namespace {

// The dimensions of an array, the one whose neighbours are closest in memory first.
std::vector<std::size_t> from_fastest(std::size_t dimension_count, int order) {
  std::vector<std::size_t> dimensions(dimension_count);
  for (std::size_t i = 0; i < dimension_count; ++i) {
    dimensions[i] = order == MPI_ORDER_FORTRAN ? i : dimension_count - 1 - i;
  }
  return dimensions;
}

// One dimension of a distributed array, as one process of the grid sees it.
struct Distribution {
  std::ptrdiff_t size;           // of the whole array
  std::ptrdiff_t process_count;  // in this dimension
  std::ptrdiff_t process;        // counted from 0
  std::ptrdiff_t block_size;     // dealt out in turn, as with cards

  static Distribution of(int kind, int argument, int size, int process_count, int process) {
    if (kind == MPI_DISTRIBUTE_NONE) {
      return {size, 1, 0, size};
    }
    std::ptrdiff_t block_size = argument;
    if (argument == MPI_DISTRIBUTE_DFLT_DARG) {
      block_size = kind == MPI_DISTRIBUTE_BLOCK ? (size + process_count - 1) / process_count : 1;
    }
    return {size, process_count, process, block_size};
  }
};

// Full blocks are one repetition; the last one may be cut short by the array's end.
PatternRef dealt_out(const Distribution& dimension, const PatternRef& line,
                     std::ptrdiff_t stride_bytes) {
  auto pattern = std::make_shared<Pattern>();
  const std::ptrdiff_t period = dimension.process_count * dimension.block_size;
  const std::ptrdiff_t first = dimension.process * dimension.block_size;
  const std::ptrdiff_t from_first = std::max<std::ptrdiff_t>(dimension.size - first, 0);
  const std::ptrdiff_t full_count =
      from_first / period + (from_first % period >= dimension.block_size ? 1 : 0);
  const PatternRef block =
      Pattern::repeated(line, static_cast<std::size_t>(dimension.block_size), stride_bytes);
  pattern->append(block, first * stride_bytes, static_cast<std::size_t>(full_count),
                  period * stride_bytes);

  const std::ptrdiff_t next = first + full_count * period;
  const std::ptrdiff_t rest = std::max<std::ptrdiff_t>(dimension.size - next, 0);
  pattern->append(line, next * stride_bytes, static_cast<std::size_t>(rest), stride_bytes);
  return pattern;
}

// Processes are numbered along the last dimension first, whatever the order of the array.
std::vector<int> grid_position(int rank, std::span<const int> process_counts) {
  std::vector<int> position(process_counts.size());
  for (std::size_t i = process_counts.size(); i-- > 0;) {
    position[i] = rank % process_counts[i];
    rank /= process_counts[i];
  }
  return position;
}

}  // namespace

PatternRef subarray_pattern(const TypeContents& contents, PatternRef element,
                            std::ptrdiff_t element_stride_bytes) {
  const std::size_t n = contents.count(0);
  const auto sizes = contents.integers(1, n);
  const auto part_sizes = contents.integers(1 + n, n);
  const auto starts = contents.integers(1 + 2 * n, n);
  const int order = contents.integers(1 + 3 * n, 1).front();

  std::ptrdiff_t stride_bytes = element_stride_bytes;
  for (const std::size_t i : from_fastest(n, order)) {
    auto pattern = std::make_shared<Pattern>();
    pattern->append(element, starts[i] * stride_bytes, static_cast<std::size_t>(part_sizes[i]),
                    stride_bytes);
    element = std::move(pattern);
    stride_bytes *= sizes[i];
  }
  return element;
}

PatternRef darray_pattern(const TypeContents& contents, PatternRef element,
                          std::ptrdiff_t element_stride_bytes) {
  const int rank = contents.integers(1, 1).front();
  const std::size_t n = contents.count(2);
  const auto sizes = contents.integers(3, n);
  const auto kinds = contents.integers(3 + n, n);
  const auto arguments = contents.integers(3 + 2 * n, n);
  const auto process_counts = contents.integers(3 + 3 * n, n);
  const int order = contents.integers(3 + 4 * n, 1).front();
  const std::vector<int> position = grid_position(rank, process_counts);

  std::ptrdiff_t stride_bytes = element_stride_bytes;
  for (const std::size_t i : from_fastest(n, order)) {
    const auto dimension =
        Distribution::of(kinds[i], arguments[i], sizes[i], process_counts[i], position[i]);
    element = dealt_out(dimension, element, stride_bytes);
    stride_bytes *= sizes[i];
  }
  return element;
}

}  // namespace detour
