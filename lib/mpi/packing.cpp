#include "mpi/packing.hpp"

#include <cstdint>
#include <cstring>

#include "mpi/element_types.hpp"
#include "mpi/type_cache.hpp"

namespace detour {
namespace {

// Through a number: MPI_BOTTOM is a null pointer, on which arithmetic is undefined.
std::uintptr_t address(const void* user, std::ptrdiff_t offset_bytes) {
  return reinterpret_cast<std::uintptr_t>(user) + static_cast<std::uintptr_t>(offset_bytes);
}

}  // namespace

std::byte* Layout::first_byte(void* user) const {
  return reinterpret_cast<std::byte*>(address(user, lowest_bytes_));
}

const std::byte* Layout::first_byte(const void* user) const {
  return reinterpret_cast<const std::byte*>(address(user, lowest_bytes_));
}

void Layout::pack(const void* user, std::byte* packed) const {
  if (pattern_) {
    pattern_->pack(user, packed);
  } else if (packed_bytes_ > 0) {
    std::memcpy(packed, first_byte(user), packed_bytes_);
  }
}

void Layout::unpack(const std::byte* packed, void* user) const {
  if (pattern_) {
    pattern_->unpack(packed, user);
  } else if (packed_bytes_ > 0) {
    std::memcpy(first_byte(user), packed, packed_bytes_);
  }
}

Layout layout_of(MPI_Datatype type, MPI_Count count) {
  const auto instances = static_cast<std::size_t>(count);
  Layout layout;
  // Named datatypes need no description, nor does anybody wait for one; pairs with padding do.
  if (const auto element = named_element_type(type)) {
    int bytes = 0;
    PMPI_Type_size(type, &bytes);
    if (element_bytes(*element) == static_cast<std::size_t>(bytes)) {
      layout.packed_bytes_ = instances * static_cast<std::size_t>(bytes);
      layout.end_bytes_ = static_cast<std::ptrdiff_t>(layout.packed_bytes_);
      layout.element_ = element;
      return layout;
    }
  }
  const DescriptionRef description = type_description(type);
  const PatternRef pattern =
      Pattern::repeated(description->pattern, instances, description->extent_bytes);
  layout.packed_bytes_ = pattern->packed_bytes();
  layout.lowest_bytes_ = pattern->lowest_bytes();
  layout.end_bytes_ = pattern->end_bytes();
  layout.element_ = description->element;
  if (!pattern->is_one_run()) {
    layout.pattern_ = pattern;
  }
  return layout;
}

}  // namespace detour
