#include "c_api/plain_allreduce.hpp"

#include "mpi/arguments.hpp"

namespace detour {

int PlainAllreduce::prepare(const AllreduceArguments& arguments, Call& call) {
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
