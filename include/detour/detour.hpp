// Detour's C++ interface: communicators, buffers and collective operations on ranges.
//
//   auto world = detour::Communicator::world();
//   world.allreduce(gradients);                        // in place, the sum
//   world.allreduce(input, output, detour::Op::max);
//
// Ranges are std::span, std::vector, std::array, detour::Buffer: any memory without gaps. Functions throw
// detour::Error; those that start with try_ return a std::error_code of MPI's codes instead, and are otherwise the
// same. Where ranges don't fit together, say outputs of another size than inputs, that is an error of class
// MPI_ERR_COUNT, on all ranks, and nobody waits for anybody.
//
// Where ranks die: what is said of that holds for what is here. Functions of MPI's that the program calls itself get over
// deaths only where libdetour_mpi is preloaded, as detourrun does it, or linked; otherwise they may wait for the dead for
// ever. See docs/faults.md.
//
// MPI has to be initialised by the program. detour.h is the same in C, and says more about what operations do.
#pragma once

#include <cstdint>
#include <limits>
#include <ranges>
#include <utility>
#include <vector>

#include "detour/cpp/buffer.hpp"
#include "detour/cpp/death.hpp"
#include "detour/cpp/element.hpp"
#include "detour/cpp/error.hpp"
#include "detour/cpp/pending.hpp"
#include "detour/cpp/result.hpp"
#include "detour/detour.h"

namespace detour {
inline namespace cpp {

// An MPI communicator, its own or somebody else's.
class Communicator {
 public:
  // A duplicate of MPI_COMM_WORLD; see duplicate_of.
  static Communicator world() { return duplicate_of(MPI_COMM_WORLD); }

  // Has the duplicate for itself, and frees it in the end. Its errors are returned, whatever the original
  // does about them. Collective, over those who live: the dead are not in it.
  static Communicator duplicate_of(MPI_Comm original) {
    MPI_Comm comm = MPI_COMM_NULL;
    throw_if(make_error_code(Detour_Comm_dup(original, &comm)), "duplication");
    return owner_of(comm);
  }

  // Takes the communicator over, frees it in the end, and has its errors returned.
  static Communicator owner_of(MPI_Comm comm) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return Communicator(comm, true);
  }

  // Uses a communicator that somebody else frees. Its error handler stays, and comes first: as long as that
  // is MPI_ERRORS_ARE_FATAL, which MPI starts with, errors end the program and none is thrown.
  static Communicator view_of(MPI_Comm comm) { return Communicator(comm, false); }

  Communicator(Communicator&& other) noexcept
      : comm_(std::exchange(other.comm_, MPI_COMM_NULL)), owns_(other.owns_) {}
  Communicator& operator=(Communicator&& other) noexcept {
    std::swap(comm_, other.comm_);
    std::swap(owns_, other.owns_);
    return *this;
  }
  ~Communicator() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (owns_ && comm_ != MPI_COMM_NULL && finalized == 0) MPI_Comm_free(&comm_);
  }

  MPI_Comm get() const { return comm_; }
  int rank() const {
    int rank = 0;
    throw_if(make_error_code(MPI_Comm_rank(comm_, &rank)), "rank");
    return rank;
  }
  int size() const {
    int size = 0;
    throw_if(make_error_code(MPI_Comm_size(comm_, &size)), "size");
    return size;
  }

  // Makes the communicator known to the library, as the first operation would, so that iallreduce is the
  // library's own. Collective.
  void prepare() { throw_if(make_error_code(Detour_Prepare(comm_)), "prepare"); }

  // Changes a setting for this communicator: see Detour_Set. Collective.
  void set(const char* name, const char* value) {
    throw_if(make_error_code(Detour_Set(comm_, name, value)), "set");
  }

  // ---- All ranks get the reduction of all inputs.

  template <class Input, class Output>
  requires ReadableInto<Input, Output>
  void allreduce(const Input& input, Output&& output, Op op = Op::sum) {
    throw_if(try_allreduce(input, output, op), "allreduce");
  }
  template <class Input, class Output>
  requires ReadableInto<Input, Output> std::error_code try_allreduce(const Input& input,
                                                                     Output&& output,
                                                                     Op op = Op::sum) {
    return make_error_code(Detour_Allreduce(std::ranges::data(input), std::ranges::data(output),
                                            common_count(input, output), type_of(input), mpi_op(op),
                                            comm_));
  }
  // In place.
  template <Writable Range>
  void allreduce(Range&& buffer, Op op = Op::sum) {
    throw_if(try_allreduce(buffer, op), "allreduce");
  }
  template <Writable Range>
  std::error_code try_allreduce(Range&& buffer, Op op = Op::sum) {
    return make_error_code(Detour_Allreduce(MPI_IN_PLACE, std::ranges::data(buffer),
                                            count_of(buffer), type_of(buffer), mpi_op(op), comm_));
  }

  // The same without waiting. The ranges' memory has to stay, and be left alone, until the operation is complete.

  template <class Input, class Output>
  requires ReadableInto<Input, Output> Pending iallreduce(const Input& input, Output&& output,
                                                          Op op = Op::sum) {
    Pending pending;
    throw_if(try_iallreduce(pending, input, output, op), "iallreduce");
    return pending;
  }
  template <class Input, class Output>
  requires ReadableInto<Input, Output> std::error_code try_iallreduce(Pending& pending,
                                                                      const Input& input,
                                                                      Output&& output,
                                                                      Op op = Op::sum) {
    return start(pending, std::ranges::data(input), std::ranges::data(output),
                 common_count(input, output), type_of(input), op);
  }
  template <Writable Range>
  Pending iallreduce(Range&& buffer, Op op = Op::sum) {
    Pending pending;
    throw_if(try_iallreduce(pending, buffer, op), "iallreduce");
    return pending;
  }
  template <Writable Range>
  std::error_code try_iallreduce(Pending& pending, Range&& buffer, Op op = Op::sum) {
    return start(pending, MPI_IN_PLACE, std::ranges::data(buffer), count_of(buffer),
                 type_of(buffer), op);
  }

  // ---- One rank, the root, gets the reduction. Outputs of the others may be empty, and stay as they are.

  template <class Input, class Output>
  requires ReadableInto<Input, Output>
  void reduce(const Input& input, Output&& output, int root = 0, Op op = Op::sum) {
    throw_if(try_reduce(input, output, root, op), "reduce");
  }
  template <class Input, class Output>
  requires ReadableInto<Input, Output> std::error_code try_reduce(const Input& input,
                                                                  Output&& output, int root = 0,
                                                                  Op op = Op::sum) {
    const int count = rank() == root ? common_count(input, output) : count_of(input);
    return make_error_code(Detour_Reduce(std::ranges::data(input), std::ranges::data(output), count,
                                         type_of(input), mpi_op(op), root, comm_));
  }
  // In place at the root. The buffers of the others are inputs.
  template <Writable Range>
  void reduce(Range&& buffer, int root = 0, Op op = Op::sum) {
    throw_if(try_reduce(buffer, root, op), "reduce");
  }
  template <Writable Range>
  std::error_code try_reduce(Range&& buffer, int root = 0, Op op = Op::sum) {
    void* const data = std::ranges::data(buffer);
    const bool is_root = rank() == root;
    return make_error_code(Detour_Reduce(is_root ? MPI_IN_PLACE : data, is_root ? data : nullptr,
                                         count_of(buffer), type_of(buffer), mpi_op(op), root,
                                         comm_));
  }

  // ---- All ranks get what the root has.

  template <Writable Range>
  void broadcast(Range&& buffer, int root = 0) {
    throw_if(try_broadcast(buffer, root), "broadcast");
  }
  template <Writable Range>
  std::error_code try_broadcast(Range&& buffer, int root = 0) {
    return make_error_code(
        Detour_Bcast(std::ranges::data(buffer), count_of(buffer), type_of(buffer), root, comm_));
  }

  // ---- All ranks get the inputs of all, in the order of ranks: outputs are size() times as long.

  template <class Input, class Output>
  requires ReadableInto<Input, Output>
  void allgather(const Input& input, Output&& output) {
    throw_if(try_allgather(input, output), "allgather");
  }
  template <class Input, class Output>
  requires ReadableInto<Input, Output> std::error_code try_allgather(const Input& input,
                                                                     Output&& output) {
    const int count = block_count(input, output);
    const MPI_Datatype type = type_of(input);
    return make_error_code(Detour_Allgather(std::ranges::data(input), count, type,
                                            std::ranges::data(output), count, type, comm_));
  }

  // ---- Each rank gets its block of the reduction: inputs are size() times as long as outputs.

  template <class Input, class Output>
  requires ReadableInto<Input, Output>
  void reduce_scatter(const Input& input, Output&& output, Op op = Op::sum) {
    throw_if(try_reduce_scatter(input, output, op), "reduce_scatter");
  }
  template <class Input, class Output>
  requires ReadableInto<Input, Output> std::error_code try_reduce_scatter(const Input& input,
                                                                          Output&& output,
                                                                          Op op = Op::sum) {
    return make_error_code(
        Detour_Reduce_scatter_block(std::ranges::data(input), std::ranges::data(output),
                                    block_count(output, input), type_of(input), mpi_op(op), comm_));
  }

  // ---- Returns when all ranks have called it.

  void barrier() { throw_if(try_barrier(), "barrier"); }
  std::error_code try_barrier() { return make_error_code(Detour_Barrier(comm_)); }

  // Of the last operation that has ended well on this rank. Before there is one: nobody, in 0 attempts.
  Result last_result() const {
    Detour_Result result{};
    throw_if(make_error_code(Detour_Last_result(comm_, &result)), "last_result");
    return result_of(result);
  }

  // What this rank has done on this communicator.
  Detour_Statistics statistics() const {
    Detour_Statistics statistics{};
    throw_if(make_error_code(Detour_Get_statistics(comm_, &statistics)), "statistics");
    return statistics;
  }

 private:
  Communicator(MPI_Comm comm, bool owns) : comm_(comm), owns_(owns) {}

  // Sizes that make no sense go to the library as this: it then tells all ranks, where an exception on this
  // rank alone would leave the others waiting.
  static constexpr int no_count = -1;

  template <class Range>
  static MPI_Datatype type_of(const Range&) {
    return datatype_of<std::ranges::range_value_t<Range>>();
  }
  template <class Range>
  static int count_of(const Range& range) {
    const auto count = static_cast<std::size_t>(std::ranges::size(range));
    constexpr auto count_max = static_cast<std::size_t>(std::numeric_limits<int>::max());
    return count <= count_max ? static_cast<int>(count) : no_count;
  }
  template <class Input, class Output>
  static int common_count(const Input& input, const Output& output) {
    return std::ranges::size(input) == std::ranges::size(output) ? count_of(input) : no_count;
  }
  // Of a block, if there is one per rank in the whole.
  template <class Block, class Whole>
  int block_count(const Block& block, const Whole& whole) const {
    const auto rank_count = static_cast<std::size_t>(size());
    return std::ranges::size(block) * rank_count == std::ranges::size(whole) ? count_of(block)
                                                                             : no_count;
  }

  std::error_code start(Pending& pending, const void* input, void* output, int count,
                        MPI_Datatype type, Op op) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = Detour_Iallreduce(input, output, count, type, mpi_op(op), comm_, &request);
    if (error == MPI_SUCCESS) pending = Pending(request);
    return make_error_code(error);
  }

  MPI_Comm comm_;
  bool owns_;
};

}  // namespace cpp
}  // namespace detour
