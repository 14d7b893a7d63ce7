#include <optional>

#include "c_api/collective.hpp"
#include "detour/detour.h"
#include "mpi/arguments.hpp"
#include "mpi/reduction.hpp"
#include "next_calls.hpp"

namespace {

using namespace detour;

struct Arguments {
  const void* send;
  void* receive;
  int count;
  MPI_Datatype type;
  MPI_Op op;
};

// The call as plain memory; it has to outlive the operation.
class PlainAllreduce {
 public:
  int prepare(const Arguments& arguments, Call& call);
  void finish() { output_->store(); }

 private:
  std::optional<Reduction> reduction_;
  std::optional<FlatBuffer> input_;
  std::optional<FlatBuffer> output_;
};

int PlainAllreduce::prepare(const Arguments& arguments, Call& call) {
  const auto& [send, receive, count, type, op] = arguments;
  call.header.kind = CallKind::allreduce;
  if (const int error = check_allreduce(send, receive, count, type, op); error != MPI_SUCCESS) {
    return error;
  }
  reduction_.emplace(type, op);
  const bool in_place = send == MPI_IN_PLACE;
  output_.emplace(receive, count, type, reduction_->buffers_as());
  FlatBuffer& input =
      in_place ? *output_
               : input_.emplace(const_cast<void*>(send), count, type, reduction_->buffers_as());
  input.load();
  reduction_->describe(call, count);
  call.input = input.data();
  call.output = output_->data();
  return MPI_SUCCESS;
}

}  // namespace

int Detour_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm comm) {
  PlainAllreduce plain;
  const Arguments arguments{sendbuf, recvbuf, count, datatype, op};
  return collective(
      comm, [&](const Communicator&, Call& call) { return plain.prepare(arguments, call); },
      [&] { plain.finish(); },
      [&] { return next_calls().allreduce(sendbuf, recvbuf, count, datatype, op, comm); });
}
