#include <optional>

#include "c_api/collective.hpp"
#include "detour/detour.h"
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
  int root;
};

class PlainReduce {
 public:
  int prepare(const Arguments& arguments, Member caller, Call& call);
  void finish() {
    if (output_) output_->store();
  }

 private:
  std::optional<Reduction> reduction_;
  std::optional<FlatBuffer> input_;
  std::optional<FlatBuffer> output_;  // at the root
};

int PlainReduce::prepare(const Arguments& arguments, Member caller, Call& call) {
  const auto& [send, receive, count, type, op, root] = arguments;
  call.header.root = root;
  if (const int error = check_reduce(send, receive, count, type, op, root, caller);
      error != MPI_SUCCESS) {
    return error;
  }
  reduction_.emplace(type, op);
  reduction_->describe(call, count);
  const bool in_place = send == MPI_IN_PLACE;
  input_.emplace(in_place ? receive : const_cast<void*>(send), count, type,
                 reduction_->buffers_as());
  input_->load();
  call.input = input_->data();
  if (caller.rank == root) {
    output_.emplace(receive, count, type, reduction_->buffers_as());
    call.output = output_->data();
  } else {
    call.output_bytes = 0;
  }
  return MPI_SUCCESS;
}

}  // namespace

int Detour_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  int root, MPI_Comm comm) {
  PlainReduce plain;
  return collective(
      comm, CallKind::reduce,
      [&](Member caller, Call& call) {
        return plain.prepare({sendbuf, recvbuf, count, datatype, op, root}, caller, call);
      },
      [&](const MemberSet&) { plain.finish(); },
      [&] { return next_calls().reduce(sendbuf, recvbuf, count, datatype, op, root, comm); });
}
