#include "mpi/element_types.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "mpi/type_cache.hpp"

namespace detour {
namespace {

enum class Kind { signed_integer, unsigned_integer, real, complex };

std::optional<ElementType> integer_of(std::size_t bytes, bool is_signed) {
  switch (bytes) {
    case 1:
      return is_signed ? ElementType::int8 : ElementType::uint8;
    case 2:
      return is_signed ? ElementType::int16 : ElementType::uint16;
    case 4:
      return is_signed ? ElementType::int32 : ElementType::uint32;
    case 8:
      return is_signed ? ElementType::int64 : ElementType::uint64;
    default:
      return std::nullopt;
  }
}

// Fortran's view, where 16 bytes are IEEE's binary128. C's long double is not looked up by size.
std::optional<ElementType> real_of(std::size_t bytes) {
  switch (bytes) {
    case 2:
      return ElementType::float16;
    case 4:
      return ElementType::float32;
    case 8:
      return ElementType::float64;
    case 16:
      return ElementType::float128;
    default:
      return std::nullopt;
  }
}

std::optional<ElementType> complex_of(std::size_t bytes) {
  switch (bytes) {
    case 8:
      return ElementType::complex_float32;
    case 16:
      return ElementType::complex_float64;
    case 32:
      return ElementType::complex_float128;
    default:
      return std::nullopt;
  }
}

std::optional<ElementType> element_of(Kind kind, std::size_t bytes) {
  switch (kind) {
    case Kind::signed_integer:
      return integer_of(bytes, true);
    case Kind::unsigned_integer:
      return integer_of(bytes, false);
    case Kind::real:
      return real_of(bytes);
    case Kind::complex:
      return complex_of(bytes);
  }
  return std::nullopt;
}

class Table {
 public:
  Table() {
    add_integers();
    add_floats();
    add_truths();
    add_pairs();
    for (const Entry& entry : entries_) {
      std::size_t slot = first_slot(entry.type);
      while (slots_[slot].type != nullptr && slots_[slot].type != entry.type) slot = next(slot);
      slots_[slot] = entry;
    }
  }

  // Asked several times in every call: a few instructions each.
  std::optional<ElementType> find(MPI_Datatype type) const {
    for (std::size_t slot = first_slot(type); slots_[slot].type != nullptr; slot = next(slot)) {
      if (slots_[slot].type == type) return slots_[slot].element;
    }
    return std::nullopt;
  }

 private:
  struct Entry {
    MPI_Datatype type = nullptr;
    ElementType element = ElementType::byte;
  };

  // Many more than there are datatypes, so that most are found at once and some slots stay empty.
  static constexpr std::size_t slot_count = 512;

  static std::size_t first_slot(MPI_Datatype type) {
    return (reinterpret_cast<std::uintptr_t>(type) >> 4) * 0x9e3779b97f4a7c15 >> 55;
  }
  static std::size_t next(std::size_t slot) { return (slot + 1) % slot_count; }

  // Optional types may be there as names only, and their sizes are the Fortran compiler's choice.
  void add(Kind kind, std::initializer_list<MPI_Datatype> types) {
    for (MPI_Datatype type : types) {
      int bytes = 0;
      if (type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &bytes) != MPI_SUCCESS) {
        continue;
      }
      if (const auto element = element_of(kind, static_cast<std::size_t>(bytes))) {
        entries_.push_back({type, *element});
      }
    }
  }

  void add(MPI_Datatype type, ElementType element) { entries_.push_back({type, element}); }

  void add_integers() {
    add(Kind::signed_integer,
        {MPI_CHAR, MPI_SIGNED_CHAR, MPI_SHORT, MPI_INT, MPI_LONG, MPI_LONG_LONG, MPI_INT8_T,
         MPI_INT16_T, MPI_INT32_T, MPI_INT64_T, MPI_AINT, MPI_OFFSET, MPI_COUNT, MPI_INTEGER});
    add(Kind::unsigned_integer,
        {MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT, MPI_UNSIGNED, MPI_UNSIGNED_LONG,
         MPI_UNSIGNED_LONG_LONG, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T, MPI_BYTE,
         MPI_CHARACTER});
#ifdef MPI_INTEGER1
    add(Kind::signed_integer, {MPI_INTEGER1});
#endif
#ifdef MPI_INTEGER2
    add(Kind::signed_integer, {MPI_INTEGER2});
#endif
#ifdef MPI_INTEGER4
    add(Kind::signed_integer, {MPI_INTEGER4});
#endif
#ifdef MPI_INTEGER8
    add(Kind::signed_integer, {MPI_INTEGER8});
#endif
  }

  void add_floats() {
    add(Kind::real, {MPI_FLOAT, MPI_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION});
    add(Kind::complex, {MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_CXX_FLOAT_COMPLEX,
                        MPI_CXX_DOUBLE_COMPLEX, MPI_COMPLEX, MPI_DOUBLE_COMPLEX});
    add(MPI_LONG_DOUBLE, ElementType::long_double);
    add(MPI_C_LONG_DOUBLE_COMPLEX, ElementType::complex_long_double);
    add(MPI_CXX_LONG_DOUBLE_COMPLEX, ElementType::complex_long_double);
#ifdef MPI_REAL2
    add(Kind::real, {MPI_REAL2});
#endif
#ifdef MPI_REAL4
    add(Kind::real, {MPI_REAL4});
#endif
#ifdef MPI_REAL8
    add(Kind::real, {MPI_REAL8});
#endif
#ifdef MPI_REAL16
    add(Kind::real, {MPI_REAL16});
#endif
#ifdef MPI_COMPLEX8
    add(Kind::complex, {MPI_COMPLEX8});
#endif
#ifdef MPI_COMPLEX16
    add(Kind::complex, {MPI_COMPLEX16});
#endif
#ifdef MPI_COMPLEX32
    add(Kind::complex, {MPI_COMPLEX32});
#endif
  }

  void add_truths() {
    add(MPI_C_BOOL, ElementType::boolean);
    add(MPI_CXX_BOOL, ElementType::boolean);
    add_logical(MPI_LOGICAL);
#ifdef MPI_LOGICAL1
    add_logical(MPI_LOGICAL1);
#endif
#ifdef MPI_LOGICAL2
    add_logical(MPI_LOGICAL2);
#endif
#ifdef MPI_LOGICAL4
    add_logical(MPI_LOGICAL4);
#endif
#ifdef MPI_LOGICAL8
    add_logical(MPI_LOGICAL8);
#endif
  }

  // Other sizes than the usual one are integers to Open MPI, and logical operations on these give
  // Fortran's truth values all the same.
  void add_logical(MPI_Datatype type) {
    int bytes = 0;
    PMPI_Type_size(type, &bytes);
    if (static_cast<std::size_t>(bytes) == element_bytes(ElementType::logical)) {
      add(type, ElementType::logical);
    } else {
      add(Kind::signed_integer, {type});
    }
  }

  void add_pairs() {
    add(MPI_FLOAT_INT, ElementType::float_int);
    add(MPI_DOUBLE_INT, ElementType::double_int);
    add(MPI_LONG_INT, ElementType::long_int);
    add(MPI_2INT, ElementType::int_int);
    add(MPI_SHORT_INT, ElementType::short_int);
    add(MPI_LONG_DOUBLE_INT, ElementType::long_double_int);
    add(MPI_2INTEGER, ElementType::int_int);
    add(MPI_2REAL, ElementType::float_float);
    add(MPI_2DOUBLE_PRECISION, ElementType::double_double);
  }

  std::vector<Entry> entries_;
  std::array<Entry, slot_count> slots_{};
};

bool is_logical(ReduceOp op) {
  return op == ReduceOp::logical_and || op == ReduceOp::logical_or || op == ReduceOp::logical_xor;
}

// A Fortran program that means LOGICAL and says INTEGER is told so, as Open MPI does.
bool is_plain_fortran_integer(MPI_Datatype type) {
#ifdef MPI_INTEGER4
  if (type == MPI_INTEGER4) {
    return true;
  }
#endif
  return type == MPI_INTEGER;
}

}  // namespace

std::optional<ElementType> named_element_type(MPI_Datatype type) {
  static const Table table;
  return table.find(type);
}

std::optional<ElementType> element_type_of(MPI_Datatype type) {
  if (const auto element = named_element_type(type)) {
    return element;
  }
  return type == MPI_DATATYPE_NULL ? std::nullopt : type_description(type)->as_element;
}

void set_element_type(MPI_Datatype type, ElementType element) {
  describe_as_element(type, element);
}

std::optional<ElementType> unnamed_element_type(int combiner, std::size_t bytes) noexcept {
  switch (combiner) {
    case MPI_COMBINER_F90_INTEGER:
      return integer_of(bytes, true);
    // Open MPI offers no more precision than C's long double has.
    case MPI_COMBINER_F90_REAL:
      return bytes == sizeof(long double) ? ElementType::long_double : real_of(bytes);
    case MPI_COMBINER_F90_COMPLEX:
      return bytes == 2 * sizeof(long double) ? ElementType::complex_long_double
                                              : complex_of(bytes);
    default:
      return std::nullopt;
  }
}

bool is_allowed(ReduceOp op, MPI_Datatype type) {
  const auto element = element_type_of(type);
  return element && is_defined(op, *element) && !(is_logical(op) && is_plain_fortran_integer(type));
}

}  // namespace detour
