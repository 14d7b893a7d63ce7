#include "mpi/type_decoder.hpp"

#include <functional>
#include <map>
#include <stdexcept>

#include "mpi/array_types.hpp"
#include "mpi/element_types.hpp"
#include "mpi/type_contents.hpp"

namespace detour {
namespace {

std::size_t size_bytes(MPI_Datatype type) {
  MPI_Count bytes = 0;
  PMPI_Type_size_x(type, &bytes);
  return static_cast<std::size_t>(bytes);
}

// C's pairs of a value and an int may have a gap between the two, which is not packed. The int is
// last, and the gap after it, where the extent is rounded up, is no business of one instance.
PatternRef predefined_pattern(MPI_Datatype type) {
  const std::size_t bytes = size_bytes(type);
  MPI_Count lowest = 0;
  MPI_Count span_bytes = 0;
  PMPI_Type_get_true_extent_x(type, &lowest, &span_bytes);
  if (span_bytes == static_cast<MPI_Count>(bytes)) {
    return Pattern::run(bytes);
  }
  auto pattern = std::make_shared<Pattern>();
  pattern->append(Pattern::run(bytes - sizeof(int)), 0);
  pattern->append(Pattern::run(sizeof(int)), span_bytes - static_cast<MPI_Count>(sizeof(int)));
  return pattern;
}

DecodedType decode_predefined(MPI_Datatype type, int combiner) {
  const std::size_t bytes = size_bytes(type);
  auto element = combiner == MPI_COMBINER_NAMED ? named_element_type(type)
                                                : unnamed_element_type(combiner, bytes);
  // Packed pairs lose their padding, and are no array of pairs any more.
  if (element && element_bytes(*element) != bytes) {
    element.reset();
  }
  return {predefined_pattern(type), element};
}

// One datatype under construction.
class Decoder {
 public:
  explicit Decoder(MPI_Datatype type) : contents_(type) {}

  DecodedType decode() {
    switch (contents_.combiner()) {
      case MPI_COMBINER_DUP:
      case MPI_COMBINER_RESIZED:
        return part(0);
      case MPI_COMBINER_CONTIGUOUS:
        add(0, 0, contents_.count(0));
        break;
      case MPI_COMBINER_VECTOR:
        add_vector(contents_.integer(2) * extent(0));
        break;
      case MPI_COMBINER_HVECTOR:
        add_vector(contents_.address(0));
        break;
      case MPI_COMBINER_INDEXED:
        add_indexed();
        break;
      case MPI_COMBINER_HINDEXED:
        add_hindexed();
        break;
      case MPI_COMBINER_INDEXED_BLOCK:
        add_indexed_block();
        break;
      case MPI_COMBINER_HINDEXED_BLOCK:
        add_hindexed_block();
        break;
      case MPI_COMBINER_STRUCT:
        add_struct();
        break;
      case MPI_COMBINER_SUBARRAY:
        return {subarray_pattern(contents_, part(0).pattern, extent(0)), part(0).element};
      case MPI_COMBINER_DARRAY:
        return {darray_pattern(contents_, part(0).pattern, extent(0)), part(0).element};
      default:
        throw std::runtime_error("a datatype made in a way that is not known");
    }
    return {pattern_, mixed_ ? std::nullopt : element_};
  }

 private:
  struct Part {
    DecodedType decoded;
    std::ptrdiff_t extent_bytes;
  };

  // Structs may name the same datatype many times over: MPI gives predefined ones by the same handle.
  const Part& find(std::size_t i) {
    const MPI_Datatype type = contents_.types()[i];
    const auto known = parts_.find(type);
    if (known != parts_.end()) {
      return known->second;
    }
    return parts_.emplace(type, Part{detour::decode(type), detour::extent_bytes(type)})
        .first->second;
  }

  const DecodedType& part(std::size_t i) { return find(i).decoded; }
  std::ptrdiff_t extent(std::size_t i) { return find(i).extent_bytes; }

  // A block of neighbours of the i-th datatype.
  void add(std::size_t i, std::ptrdiff_t offset_bytes, std::size_t count) {
    const Part& piece = find(i);
    if (count == 0 || piece.decoded.pattern->packed_bytes() == 0) {
      return;
    }
    note(piece.decoded.element);
    pattern_->append(piece.decoded.pattern, offset_bytes, count, piece.extent_bytes);
  }

  void note(std::optional<ElementType> element) {
    mixed_ = mixed_ || !element || (element_ && element_ != element);
    element_ = element;
  }

  void add_vector(std::ptrdiff_t stride_bytes) {
    const PatternRef block = Pattern::repeated(part(0).pattern, contents_.count(1), extent(0));
    note(part(0).element);
    pattern_->append(block, 0, contents_.count(0), stride_bytes);
  }

  void add_indexed() {
    const std::size_t n = contents_.count(0);
    for (std::size_t i = 0; i < n; ++i) {
      add(0, contents_.integer(1 + n + i) * extent(0), contents_.count(1 + i));
    }
  }

  void add_hindexed() {
    for (std::size_t i = 0; i < contents_.count(0); ++i) {
      add(0, contents_.address(i), contents_.count(1 + i));
    }
  }

  void add_indexed_block() {
    for (std::size_t i = 0; i < contents_.count(0); ++i) {
      add(0, contents_.integer(2 + i) * extent(0), contents_.count(1));
    }
  }

  void add_hindexed_block() {
    for (std::size_t i = 0; i < contents_.count(0); ++i) {
      add(0, contents_.address(i), contents_.count(1));
    }
  }

  void add_struct() {
    for (std::size_t i = 0; i < contents_.count(0); ++i) {
      add(i, contents_.address(i), contents_.count(1 + i));
    }
  }

  TypeContents contents_;
  std::map<MPI_Datatype, Part, std::less<>> parts_;
  std::shared_ptr<Pattern> pattern_ = std::make_shared<Pattern>();
  std::optional<ElementType> element_;
  bool mixed_ = false;
};

}  // namespace

DecodedType decode(MPI_Datatype type) {
  const int combiner = combiner_of(type);
  if (is_predefined_combiner(combiner)) {
    return decode_predefined(type, combiner);
  }
  return Decoder(type).decode();
}

std::ptrdiff_t extent_bytes(MPI_Datatype type) {
  MPI_Count lower_bound = 0;
  MPI_Count extent = 0;
  PMPI_Type_get_extent_x(type, &lower_bound, &extent);
  return extent;
}

int combiner_of(MPI_Datatype type) {
  int integer_count = 0;
  int address_count = 0;
  int type_count = 0;
  int combiner = MPI_COMBINER_NAMED;
  PMPI_Type_get_envelope(type, &integer_count, &address_count, &type_count, &combiner);
  return combiner;
}

}  // namespace detour
