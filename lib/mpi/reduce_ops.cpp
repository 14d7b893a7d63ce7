#include "mpi/reduce_ops.hpp"

#include <algorithm>

namespace detour {
namespace {

struct Entry {
  MPI_Op op;
  ReduceOp reduce_op;
};

}  // namespace

std::optional<ReduceOp> reduce_op_of(MPI_Op op) noexcept {
  // The most frequent first.
  static const Entry entries[reduce_op_count] = {
      {MPI_SUM, ReduceOp::sum},
      {MPI_MAX, ReduceOp::maximum},
      {MPI_MIN, ReduceOp::minimum},
      {MPI_PROD, ReduceOp::product},
      {MPI_LAND, ReduceOp::logical_and},
      {MPI_LOR, ReduceOp::logical_or},
      {MPI_LXOR, ReduceOp::logical_xor},
      {MPI_BAND, ReduceOp::bit_and},
      {MPI_BOR, ReduceOp::bit_or},
      {MPI_BXOR, ReduceOp::bit_xor},
      {MPI_MINLOC, ReduceOp::minimum_location},
      {MPI_MAXLOC, ReduceOp::maximum_location},
  };
  const auto* found = std::find_if(std::begin(entries), std::end(entries),
                                   [&](const Entry& entry) { return entry.op == op; });
  return found == std::end(entries) ? std::nullopt : std::optional(found->reduce_op);
}

bool is_user_defined(MPI_Op op) noexcept {
  return op != MPI_OP_NULL && op != MPI_REPLACE && op != MPI_NO_OP && !reduce_op_of(op);
}

bool is_commutative(MPI_Op op) {
  int commutes = 0;
  PMPI_Op_commutative(op, &commutes);
  return commutes != 0;
}

}  // namespace detour
