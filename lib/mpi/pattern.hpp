// Where in memory a datatype's bytes lie, in the order in which they are packed.
//
// Kept as nested repetitions rather than as a list of blocks: a column of a large matrix is one part
// here and millions of blocks there. What touches is joined as it is added:
//
//   vector of 3 blocks of 2 floats, 4 floats apart      one part: 3 runs of 8 bytes, 16 apart
//   the same, 2 floats apart                            one part: 1 run of 24 bytes
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "detour/routing/api.hpp"

namespace detour {

class Pattern;
using PatternRef = std::shared_ptr<const Pattern>;

class DETOUR_API Pattern {
 public:
  // `count` equal pieces, `stride_bytes` apart: each a run of bytes or, where `nested` is set, a
  // pattern of its own.
  struct Part {
    std::ptrdiff_t offset_bytes = 0;
    std::size_t count = 1;
    std::ptrdiff_t stride_bytes = 0;
    std::size_t run_bytes = 0;
    PatternRef nested = nullptr;
  };

  static PatternRef run(std::size_t bytes);

  // `count` times the piece, the first at the offset, the others a stride further on each.
  void append(const PatternRef& piece, std::ptrdiff_t offset_bytes, std::size_t count = 1,
              std::ptrdiff_t stride_bytes = 0);

  const std::vector<Part>& parts() const { return parts_; }
  std::size_t packed_bytes() const { return packed_bytes_; }

  // The range of all bytes, relative to the address that the user gives: [lowest, end).
  std::ptrdiff_t lowest_bytes() const { return lowest_bytes_; }
  std::ptrdiff_t end_bytes() const { return end_bytes_; }

  // In one piece, from lowest to end, and in that order.
  bool is_one_run() const;

  static PatternRef repeated(const PatternRef& piece, std::size_t count,
                             std::ptrdiff_t stride_bytes);

  // From, or to, the user's memory; what is packed has packed_bytes(). Null is an address like any
  // other: that is what MPI_BOTTOM is.
  void pack(const void* user, std::byte* packed) const;
  void unpack(const std::byte* packed, void* user) const;

 private:
  void append_part(Part part);
  void widen(const Pattern& piece, std::ptrdiff_t first_bytes, std::ptrdiff_t last_bytes);

  std::vector<Part> parts_;
  std::size_t packed_bytes_ = 0;
  std::ptrdiff_t lowest_bytes_ = 0;
  std::ptrdiff_t end_bytes_ = 0;
};

}  // namespace detour
