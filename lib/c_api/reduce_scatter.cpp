#include <cstring>
#include <numeric>
#include <optional>
#include <span>
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

}  // namespace

int Detour_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  PlainReduceScatter plain;
  return collective(
      comm, CallKind::reduce_scatter,
      [&](Member caller, Call& call) {
        if (const int error =
                check_reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, caller);
            error != MPI_SUCCESS) {
          return error;
        }
        const std::span counts(recvcounts, static_cast<std::size_t>(caller.size));
        plain.prepare({sendbuf, recvbuf, datatype, op}, {counts.begin(), counts.end()}, caller,
                      call);
        return MPI_SUCCESS;
      },
      [&] { plain.finish(); },
      [&] {
        return next_calls().reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm);
      });
}

int Detour_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  PlainReduceScatter plain;
  return collective(
      comm, CallKind::reduce_scatter,
      [&](Member caller, Call& call) {
        if (const int error =
                check_reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, caller);
            error != MPI_SUCCESS) {
          return error;
        }
        std::vector<std::uint64_t> counts(static_cast<std::size_t>(caller.size),
                                          static_cast<std::uint64_t>(recvcount));
        plain.prepare({sendbuf, recvbuf, datatype, op}, std::move(counts), caller, call);
        return MPI_SUCCESS;
      },
      [&] { plain.finish(); },
      [&] {
        return next_calls().reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm);
      });
}
