// Trials of Allreduce, Iallreduce, Reduce and both forms of Reduce_scatter.
#include <numeric>

#include "detour/detour.h"
#include "trial.hpp"

namespace detour::parity {
namespace {

int call_allreduce(const Trial& trial, const void* send, void* receive) {
  const int count = static_cast<int>(trial.count());
  const MPI_Op op = trial.operation().op;
  if (trial.combination().kind == Kind::allreduce) {
    return Detour_Allreduce(send, receive, count, trial.type(), op, trial.team().comm);
  }
  MPI_Request request = MPI_REQUEST_NULL;
  const int error =
      Detour_Iallreduce(send, receive, count, trial.type(), op, trial.team().comm, &request);
  return error == MPI_SUCCESS ? Detour_Wait(&request, MPI_STATUS_IGNORE) : error;
}

// The input is the caller's own, so that it can be had again whatever became of the buffers.
void compare_with_mpi(Trial& trial, const Buffer& result) {
  if (!trial.operation().mpi_is_right) return;
  Buffer send = trial.make_buffer(trial.count());
  Buffer receive = trial.make_buffer(trial.count());
  trial.put(send, 0, trial.team().rank, trial.count());
  PMPI_Allreduce(send.data(), receive.data(), static_cast<int>(trial.count()), trial.type(),
                 trial.operation().op, trial.team().comm);
  trial.require(receive.value_digest() == result.value_digest(), "MPI has another result");
}

int call_reduce_scatter(const Trial& trial, const void* send, void* receive,
                        const std::vector<int>& blocks) {
  const MPI_Op op = trial.operation().op;
  const MPI_Comm comm = trial.team().comm;
  if (trial.combination().kind == Kind::reduce_scatter) {
    return Detour_Reduce_scatter(send, receive, blocks.data(), trial.type(), op, comm);
  }
  return Detour_Reduce_scatter_block(send, receive, blocks.front(), trial.type(), op, comm);
}

}  // namespace

void try_allreduce(Trial& trial) {
  const std::size_t count = trial.count();
  const bool in_place = trial.combination().in_place;
  Buffer send = trial.make_buffer(in_place ? 0 : count);
  Buffer receive = trial.make_buffer(count);
  trial.put(in_place ? receive : send, 0, trial.team().rank, count);
  const std::uint64_t sent = send.digest();
  trial.require_success(
      call_allreduce(trial, in_place ? MPI_IN_PLACE : send.data(), receive.data()));
  const auto part = trial.own_part(count);
  trial.require_reduced(receive, part.first, part.first, part.count);
  trial.require_bounds(receive);
  trial.require(send.digest() == sent, "the input was changed");
  trial.set_common_result(receive);
  compare_with_mpi(trial, receive);
}

void try_reduce(Trial& trial) {
  const std::size_t count = trial.count();
  const bool is_root = trial.team().rank == trial.root();
  const bool in_place = is_root && trial.combination().in_place;
  Buffer send = trial.make_buffer(count);
  Buffer receive = trial.make_buffer(count);
  trial.put(in_place ? receive : send, 0, trial.team().rank, count);
  const std::uint64_t sent = send.digest();
  const std::uint64_t before = receive.digest();
  trial.require_success(Detour_Reduce(in_place ? MPI_IN_PLACE : send.data(), receive.data(),
                                      static_cast<int>(count), trial.type(), trial.operation().op,
                                      trial.root(), trial.team().comm));
  trial.require(send.digest() == sent, "the input was changed");
  if (!is_root) {
    return trial.require(receive.digest() == before,
                         "the output of another than the root was written");
  }
  trial.require_reduced(receive, 0, 0, count);
  trial.require_bounds(receive);
}

void try_reduce_scatter(Trial& trial) {
  const auto rank = static_cast<std::size_t>(trial.team().rank);
  const bool in_place = trial.combination().in_place;
  std::vector<int> blocks(static_cast<std::size_t>(trial.team().size), trial.even_block());
  if (trial.combination().kind == Kind::reduce_scatter) blocks = trial.uneven_blocks();
  const auto own = static_cast<std::size_t>(blocks[rank]);
  const auto first = static_cast<std::size_t>(
      std::accumulate(blocks.begin(), blocks.begin() + trial.team().rank, 0));
  const auto total = static_cast<std::size_t>(std::accumulate(blocks.begin(), blocks.end(), 0));
  Buffer send = trial.make_buffer(in_place ? 0 : total);
  Buffer receive = trial.make_buffer(in_place ? total : own);
  trial.put(in_place ? receive : send, 0, trial.team().rank, total);
  const std::uint64_t sent = send.digest();
  trial.require_success(
      call_reduce_scatter(trial, in_place ? MPI_IN_PLACE : send.data(), receive.data(), blocks));
  trial.require_reduced(receive, 0, first, own);
  trial.require_bounds(receive);
  trial.require(send.digest() == sent, "the input was changed");
}

}  // namespace detour::parity
