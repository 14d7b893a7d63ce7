#include "c_api/plain_allreduce.hpp"

#include "mpi/arguments.hpp"

namespace detour {

int PlainAllreduce::prepare(const AllreduceArguments& arguments, Call& call) {
  const PlainReduction* const plain = find_plain_reduction(arguments.type, arguments.op);
  return plain != nullptr ? prepare_plain(*plain, arguments, call) : prepare_any(arguments, call);
}

int PlainAllreduce::prepare_plain(const PlainReduction& plain, const AllreduceArguments& arguments,
                                  Call& call) {
  const auto& [send, receive, count, type, op] = arguments;
  if (const int error = check_plain_allreduce(send, receive, count, plain.kernels.element_bytes);
      error != MPI_SUCCESS) {
    return error;
  }
  call.header.operation = plain.operation;
  call.header.element = plain.element;
  call.header.bytes = static_cast<std::uint64_t>(count) * plain.kernels.element_bytes;
  call.output_bytes = call.header.bytes;
  call.combiner = &kernel_.emplace(plain.kernels);
  call.input = static_cast<const std::byte*>(send == MPI_IN_PLACE ? receive : send);
  call.output = static_cast<std::byte*>(receive);
  return MPI_SUCCESS;
}

int PlainAllreduce::prepare_any(const AllreduceArguments& arguments, Call& call) {
  const auto& [send, receive, count, type, op] = arguments;
  if (const int error = check_allreduce(send, receive, count, type, op); error != MPI_SUCCESS) {
    return error;
  }
  reduction_.emplace(type, op);
  reduction_->describe(call, count);
  output_.emplace(receive, count, type, reduction_->buffers_as());
  FlatBuffer* input = &*output_;
  if (send != MPI_IN_PLACE) {
    input = &input_.emplace(const_cast<void*>(send), count, type, reduction_->buffers_as());
  }
  input->load();
  call.input = input->data();
  call.output = output_->data();
  return MPI_SUCCESS;
}

}  // namespace detour
