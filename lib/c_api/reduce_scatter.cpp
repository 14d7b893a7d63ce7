#include <cstring>
#include <numeric>
#include <optional>
#include <vector>

#include "c_api/collective.hpp"
#include "c_api/moving.hpp"
#include "detour/detour.h"
#include "mpi/reduction.hpp"
#include "next_calls.hpp"

namespace {

using namespace detour;

struct Arguments {
  const void* send;
  void* receive;
  MPI_Datatype type;
  MPI_Op op;
};

class PlainReduceScatter {
 public:
  // Once the arguments have been checked.
  void prepare(const Arguments& arguments, std::vector<std::uint64_t> counts, Member caller,
               Call& call);
  void finish();

 private:
  std::optional<Reduction> reduction_;
  std::optional<FlatBuffer> input_;
  std::optional<FlatBuffer> output_;
  // In place the result comes to lie where other blocks' contributions are: it has to wait here.
  std::vector<std::byte> waiting_;
};

void PlainReduceScatter::prepare(const Arguments& arguments, std::vector<std::uint64_t> counts,
                                 Member caller, Call& call) {
  const auto& [send, receive, type, op] = arguments;
  reduction_.emplace(type, op);
  const auto own = counts.begin() + caller.rank;
  const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  reduction_->describe(call, static_cast<MPI_Count>(total));
  const bool in_place = send == MPI_IN_PLACE;
  input_.emplace(in_place ? receive : const_cast<void*>(send), static_cast<MPI_Count>(total), type,
                 reduction_->buffers_as());
  input_->load();
  output_.emplace(receive, static_cast<MPI_Count>(*own), type, reduction_->buffers_as());
  const std::size_t element_bytes = call.combiner->element_bytes();
  call.input = input_->data();
  call.output_first_byte = std::accumulate(counts.begin(), own, std::uint64_t{0}) * element_bytes;
  call.output_bytes = *own * element_bytes;
  if (in_place) waiting_.resize(call.output_bytes);
  call.output = in_place ? waiting_.data() : output_->data();
  call.header.shape = shape_of(counts);
  call.block_counts = std::move(counts);
}

void PlainReduceScatter::finish() {
  if (!waiting_.empty()) std::memcpy(output_->data(), waiting_.data(), waiting_.size());
  output_->store();
}

// Both forms: `check` looks at the arguments, `counts` makes a list of how much each rank gets.
template <class Check, class Counts, class PassOn>
int reduce_scatter(const Arguments& arguments, MPI_Comm comm, Check check, Counts counts,
                   PassOn pass_on) {
  PlainReduceScatter plain;
  return collective(
      comm, CallKind::reduce_scatter,
      [&](Member caller, Call& call) {
        const int error = check(caller);
        if (error == MPI_SUCCESS) plain.prepare(arguments, counts(caller), caller, call);
        return error;
      },
      [&](const MemberSet&) { plain.finish(); }, pass_on);
}

}  // namespace

int Detour_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return reduce_scatter(
      {sendbuf, recvbuf, datatype, op}, comm,
      [&](Member caller) {
        return check_reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, caller);
      },
      [&](Member caller) {
        return std::vector<std::uint64_t>(recvcounts, recvcounts + caller.size);
      },
      [&] {
        return next_calls().reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm);
      });
}

int Detour_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return reduce_scatter(
      {sendbuf, recvbuf, datatype, op}, comm,
      [&](Member caller) {
        return check_reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, caller);
      },
      [&](Member caller) {
        return std::vector<std::uint64_t>(static_cast<std::size_t>(caller.size),
                                          static_cast<std::uint64_t>(recvcount));
      },
      [&] {
        return next_calls().reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm);
      });
}
