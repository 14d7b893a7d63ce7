#include "mpi/plain_reduction.hpp"

#include <optional>

#include "mpi/element_types.hpp"
#include "mpi/packing.hpp"
#include "mpi/reduce_ops.hpp"
#include "near_thread_local.hpp"

namespace detour {
namespace {

// What a thread asked for last: most programs ask for the same again and again.
struct LastFound {
  // Constants, so that nobody has to ask whether they have been initialized.
  MPI_Datatype type = nullptr;
  MPI_Op op = nullptr;
  std::optional<PlainReduction> reduction = {};
};
DETOUR_NEAR_THREAD_LOCAL LastFound last_found;

bool lies_side_by_side(MPI_Datatype type, ElementType element) {
  const Layout one = layout_of(type, 1);
  return one.is_contiguous() && one.lowest_bytes() == 0 &&
         one.packed_bytes() == element_bytes(element);
}

}  // namespace

const PlainReduction* find_plain_reduction(MPI_Datatype type, MPI_Op op) {
  LastFound& last = last_found;
  if (last.type == type && last.op == op && last.reduction) return &*last.reduction;
  if (type == MPI_DATATYPE_NULL) return nullptr;
  const auto reduce_op = reduce_op_of(op);
  const auto element = named_element_type(type);
  if (!reduce_op || !element || !is_allowed(*reduce_op, type)) return nullptr;
  if (!lies_side_by_side(type, *element)) return nullptr;
  last = {type, op,
          PlainReduction{.kernels = {*reduce_op, *element},
                         .operation = operation_number(*reduce_op),
                         .element = element_number(*element)}};
  return &*last.reduction;
}

}  // namespace detour
