#include "subjects.hpp"

#include <algorithm>

#include "../support/mpi_types.hpp"
#include "detour/detour.h"
#include "mpi/element_types.hpp"
#include "mpi/reduce_ops.hpp"
#include "user_elements.hpp"

namespace detour::parity {
namespace {

bool is_integer_or_truth(ElementType element) {
  return element <= ElementType::logical;
}

// Open MPI 4.1.4 takes these for signed and unsigned by mistake.
bool mpi_confuses_the_sign(MPI_Datatype type, ReduceOp op) {
  const bool is_choice = op == ReduceOp::minimum || op == ReduceOp::maximum;
  return is_choice && (type == MPI_UNSIGNED_LONG || type == MPI_OFFSET);
}

// Its sums of narrow integers stop at the largest, where there are vector instructions that do.
bool mpi_saturates(ElementType element, ReduceOp op) {
  return op == ReduceOp::sum && element_bytes(element) <= 2;
}

}  // namespace

Subjects::Subjects() {
  for (const auto& [type, name] : test::predefined_types()) {
    add_with_allowed_operations(type, name, true);
  }
  predefined_count_ = all_.size();
  add_with_allowed_operations(DETOUR_FLOAT16, "DETOUR_FLOAT16", false);
  add_with_allowed_operations(DETOUR_BFLOAT16, "DETOUR_BFLOAT16", false);
  for (UserReduction& user : user_reductions()) {
    Subject subject{user.type_name, user.type, {}, false, true};
    subject.operations.push_back({user.op_name, user.op, std::move(user.elements), true});
    all_.push_back(std::move(subject));
  }
}

Subjects::~Subjects() {
  for (Subject& subject : all_) {
    if (!subject.is_users) continue;
    for (Operation& operation : subject.operations) MPI_Op_free(&operation.op);
    MPI_Type_free(&subject.type);
  }
}

void Subjects::add_with_allowed_operations(MPI_Datatype type, const std::string& name,
                                           bool is_predefined) {
  Subject subject{name, type, {}, is_predefined, false};
  for (const auto& [handle, op_name] : test::predefined_ops()) {
    const auto op = reduce_op_of(handle);
    if (!op || !is_allowed(*op, type)) continue;
    const ElementType element = *element_type_of(type);
    auto elements = exact_elements(element, *op);
    if (!elements) elements = floating_elements(element, *op);
    const bool mpi_is_right = is_integer_or_truth(element) && !mpi_confuses_the_sign(type, *op) &&
                              !mpi_saturates(element, *op);
    subject.operations.push_back({op_name, handle, std::move(elements), mpi_is_right});
  }
  if (!subject.operations.empty()) all_.push_back(std::move(subject));
}

}  // namespace detour::parity
