#include "mpi/type_cache.hpp"

#include <mutex>

#include "mpi/element_types.hpp"
#include "mpi/type_contents.hpp"
#include "mpi/type_decoder.hpp"

namespace detour {
namespace {

// Called by MPI with locks of its own held: it must not wait for ours.
int delete_entry(MPI_Datatype, int, void* entry, void*) {
  delete static_cast<DescriptionRef*>(entry);
  return MPI_SUCCESS;
}

std::mutex mutex;
int keyval = MPI_KEYVAL_INVALID;
MPI_Comm errors_return = MPI_COMM_NULL;

// A copy made by MPI_Type_dup starts without an entry: it can be told from its original.
void make_keyval() {
  if (keyval == MPI_KEYVAL_INVALID) {
    PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, delete_entry, &keyval, nullptr);
  }
}

// MPI_Comm_dup would copy the program's attributes and call its functions for it.
void make_communicator() {
  if (errors_return == MPI_COMM_NULL) {
    PMPI_Comm_split(MPI_COMM_SELF, 0, 0, &errors_return);
    PMPI_Comm_set_errhandler(errors_return, MPI_ERRORS_RETURN);
  }
}

DescriptionRef find_entry(MPI_Datatype type) {
  if (keyval == MPI_KEYVAL_INVALID) {
    return nullptr;
  }
  DescriptionRef* entry = nullptr;
  int found = 0;
  PMPI_Type_get_attr(type, keyval, &entry, &found);
  return found ? *entry : nullptr;
}

void keep(MPI_Datatype type, const DescriptionRef& description) {
  make_keyval();
  PMPI_Type_set_attr(type, keyval, new DescriptionRef(description));
}

TypeDescription describe(MPI_Datatype type) {
  DecodedType decoded = decode(type);
  TypeDescription description{.pattern = decoded.pattern,
                              .extent_bytes = extent_bytes(type),
                              .element = decoded.element,
                              .as_element = named_element_type(type)};
  if (!description.as_element) {
    description.as_element =
        unnamed_element_type(combiner_of(type), decoded.pattern->packed_bytes());
  }
  return description;
}

}  // namespace

DescriptionRef type_description(MPI_Datatype type) {
  const std::lock_guard lock(mutex);
  if (DescriptionRef known = find_entry(type)) {
    return known;
  }
  auto description = std::make_shared<const TypeDescription>(describe(type));
  // Predefined ones are few, quickly described, and not ours to mark.
  if (!is_predefined_combiner(combiner_of(type))) {
    keep(type, description);
  }
  return description;
}

void describe_as_element(MPI_Datatype type, ElementType element) {
  TypeDescription description = describe(type);
  description.element = element;
  description.as_element = element;
  const std::lock_guard lock(mutex);
  keep(type, std::make_shared<const TypeDescription>(std::move(description)));
}

// Packing nothing at all takes a datatype's word for its shape, but not for being committed.
bool is_committed(MPI_Datatype type) {
  const std::lock_guard lock(mutex);
  make_communicator();
  char nothing = 0;
  int position = 0;
  return PMPI_Pack(&nothing, 0, type, &nothing, 1, &position, errors_return) == MPI_SUCCESS;
}

void release_type_cache() {
  const std::lock_guard lock(mutex);
  if (keyval != MPI_KEYVAL_INVALID) {
    PMPI_Type_free_keyval(&keyval);
  }
  if (errors_return != MPI_COMM_NULL) {
    PMPI_Comm_free(&errors_return);
  }
}

}  // namespace detour
