// The arguments of a reduction, turned into plain memory and a way to combine it.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "collectives/call.hpp"
#include "collectives/combiner.hpp"
#include "collectives/kernel_combiner.hpp"
#include "mpi/packing.hpp"

namespace detour {

// A buffer of the program's, in one piece: where it lies, or a packed copy.
//
// The library's own operations take elements as they lie in memory. A user's operation takes them packed,
// which is the same for most datatypes.
class FlatBuffer {
 public:
  enum class As { elements, packed };

  FlatBuffer(void* user, MPI_Count count, MPI_Datatype type, As as);

  std::byte* data() { return is_copied() ? copy_.data() : data_; }
  std::size_t bytes() const { return bytes_; }  // if it is taken as packed
  void load();                                  // from the program's memory, if it is a copy
  void store();                                 // into the program's memory, if it is a copy

 private:
  bool is_copied() const { return layout_.has_value(); }

  void* user_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::optional<Layout> layout_;  // of what has to be copied
  std::vector<std::byte> copy_;
};

// How elements of a datatype are combined by an operation; both have been checked.
class Reduction {
 public:
  Reduction(MPI_Datatype type, MPI_Op op);

  FlatBuffer::As buffers_as() const;

  // Says in a call what is reduced, and how.
  void describe(Call& call, MPI_Count count) const;

 private:
  const Combiner& combiner() const;

  std::optional<KernelCombiner> kernel_;
  std::unique_ptr<Combiner> user_;
  bool is_commutative_ = true;
  std::uint32_t operation_ = 0;
  std::uint32_t element_ = 0;
};

}  // namespace detour
