#include "mpi/type_contents.hpp"

#include "mpi/type_decoder.hpp"

namespace detour {

bool is_predefined_combiner(int combiner) {
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
         combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

TypeContents::TypeContents(MPI_Datatype type) {
  int integer_count = 0;
  int address_count = 0;
  int type_count = 0;
  PMPI_Type_get_envelope(type, &integer_count, &address_count, &type_count, &combiner_);
  if (is_predefined_combiner(combiner_)) {
    return;
  }
  integers_.resize(static_cast<std::size_t>(integer_count));
  addresses_.resize(static_cast<std::size_t>(address_count));
  types_.resize(static_cast<std::size_t>(type_count));
  PMPI_Type_get_contents(type, integer_count, address_count, type_count, integers_.data(),
                         addresses_.data(), types_.data());
}

// MPI hands out a reference to each derived datatype, which has to be given back.
TypeContents::~TypeContents() {
  for (MPI_Datatype& type : types_) {
    if (!is_predefined_combiner(combiner_of(type))) {
      PMPI_Type_free(&type);
    }
  }
}

}  // namespace detour
