// The arguments of an allreduce as plain memory.
#pragma once

#include <mpi.h>

#include <optional>

#include "collectives/call.hpp"
#include "mpi/plain_reduction.hpp"
#include "mpi/reduction.hpp"

namespace detour {

struct AllreduceArguments {
  const void* send;
  void* receive;
  int count;
  MPI_Datatype type;
  MPI_Op op;
};

// Has to live as long as the call.
class PlainAllreduce {
 public:
  // The class of the first error, which leaves nothing to be done.
  [[gnu::hot]] int prepare(const AllreduceArguments& arguments, Call& call);
  // When the result is there.
  void finish() {
    if (output_) output_->store();
  }

 private:
  int prepare_plain(const PlainReduction& plain, const AllreduceArguments& arguments, Call& call);
  int prepare_any(const AllreduceArguments& arguments, Call& call);

  std::optional<KernelCombiner> kernel_;  // of a plain reduction; of any other one what follows
  std::optional<Reduction> reduction_;
  std::optional<FlatBuffer> input_;
  std::optional<FlatBuffer> output_;
};

}  // namespace detour
