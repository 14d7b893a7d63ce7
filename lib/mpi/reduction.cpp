#include "mpi/reduction.hpp"

#include <utility>

#include "collectives/call_header.hpp"
#include "mpi/element_types.hpp"
#include "mpi/reduce_ops.hpp"
#include "mpi/user_combiner.hpp"

namespace detour {

Reduction::Reduction(MPI_Datatype type, MPI_Op op) {
  if (const auto reduce_op = reduce_op_of(op)) {
    const ElementType element = *element_type_of(type);
    kernel_.emplace(*reduce_op, element);
    operation_ = operation_number(*reduce_op);
    element_ = element_number(element);
    return;
  }
  user_ = std::make_unique<UserCombiner>(op, type);
  is_commutative_ = detour::is_commutative(op);
  operation_ = is_commutative_ ? user_defined : user_defined_in_order;
  element_ = user_defined + static_cast<std::uint32_t>(user_->element_bytes());
}

const Combiner& Reduction::combiner() const {
  return kernel_ ? static_cast<const Combiner&>(*kernel_) : *user_;
}

FlatBuffer::As Reduction::buffers_as() const {
  return user_ ? FlatBuffer::As::packed : FlatBuffer::As::elements;
}

void Reduction::describe(Call& call, MPI_Count count) const {
  call.header.operation = operation_;
  call.header.element = element_;
  call.header.bytes = static_cast<std::uint64_t>(count) * combiner().element_bytes();
  call.output_bytes = call.header.bytes;
  call.combiner = &combiner();
  call.is_commutative = is_commutative_;
}

FlatBuffer::FlatBuffer(void* user, MPI_Count count, MPI_Datatype type, As as) : user_(user) {
  if (as == As::elements) {
    data_ = static_cast<std::byte*>(user);
    return;
  }
  Layout layout = layout_of(type, count);
  bytes_ = layout.packed_bytes();
  if (layout.is_contiguous()) {
    data_ = layout.first_byte(user);
    return;
  }
  copy_.resize(bytes_);
  layout_ = std::move(layout);
}

void FlatBuffer::load() {
  if (is_copied()) layout_->pack(user_, copy_.data());
}

void FlatBuffer::store() {
  if (is_copied()) layout_->unpack(copy_.data(), user_);
}

}  // namespace detour
