// Combines elements with a user's operation. Only for the thread that made the MPI call: the user's
// function may do what it likes with that thread's state.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "collectives/combiner.hpp"
#include "detour/routing/api.hpp"
#include "mpi/packing.hpp"

namespace detour {

// Elements come packed. The user's function expects them as the datatype lays them out, so that
// unless these are the same they are unpacked for it, some at a time.
//
//   packed a, packed b  ->  laid out a, laid out b  ->  user's function  ->  packed a op b
//
// That is two copies in and one out per element; a contiguous datatype with a commutative operation
// has none, without commutativity one.
class DETOUR_API UserCombiner : public Combiner {
 public:
  // The operation and the datatype have to live as long as this object.
  UserCombiner(MPI_Op op, MPI_Datatype type);

  std::size_t element_bytes() const override { return element_.packed_bytes(); }
  void combine(std::byte* result, std::span<const std::byte* const> inputs,
               std::size_t element_count) const override;

 private:
  // Elements side by side, as the user's function sees them.
  struct Batch {
    std::vector<std::byte> memory;
    std::byte* user = nullptr;  // the address that MPI would be given
  };

  Batch make_batch() const;
  void combine_batch(std::byte* result, std::span<const std::byte* const> inputs,
                     std::size_t offset_bytes, std::size_t count) const;
  void combine_in_place(std::byte* result, std::span<const std::byte* const> inputs,
                        std::size_t offset_bytes, std::size_t count) const;

  MPI_Op op_;
  MPI_Datatype type_;
  Layout element_;
  std::size_t batch_count_;
  Layout batch_layout_;
  bool in_place_;
  mutable Batch left_;
  mutable Batch right_;
};

}  // namespace detour
