// How the bytes of a user's buffer lie in memory, and their way into one piece and back.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>

#include "collectives/element_type.hpp"
#include "detour/routing/api.hpp"
#include "mpi/pattern.hpp"

namespace detour {

// A buffer of a count and a datatype, whatever its address.
//
// Packed, it has the bytes of the datatype in the order of its type map and nothing between them, so
// that ranks may describe the same bytes by different datatypes. C's pairs with padding are the
// exception to mind: packed they have none, while reductions take them as they lie in memory, with
// element_bytes() from one to the next.
class DETOUR_API Layout {
 public:
  std::size_t packed_bytes() const { return packed_bytes_; }

  // Then first_byte() is where packed_bytes() lie in one piece, ready to be used as they are.
  bool is_contiguous() const { return pattern_ == nullptr; }
  std::byte* first_byte(void* user) const;
  const std::byte* first_byte(const void* user) const;

  // The range of all bytes, relative to the user's address: [lowest, end).
  std::ptrdiff_t lowest_bytes() const { return lowest_bytes_; }
  std::ptrdiff_t end_bytes() const { return end_bytes_; }

  // The element that the packed bytes are an array of. None if there are several kinds, or if they
  // can't be reduced: then the bytes can only be moved.
  std::optional<ElementType> element() const { return element_; }

  void pack(const void* user, std::byte* packed) const;
  void unpack(const std::byte* packed, void* user) const;

 private:
  friend Layout layout_of(MPI_Datatype type, MPI_Count count);

  std::size_t packed_bytes_ = 0;
  std::ptrdiff_t lowest_bytes_ = 0;
  std::ptrdiff_t end_bytes_ = 0;
  std::optional<ElementType> element_;
  PatternRef pattern_;  // of the whole buffer, unless it is contiguous
};

// The layout may outlive the datatype.
DETOUR_API Layout layout_of(MPI_Datatype type, MPI_Count count);

}  // namespace detour
