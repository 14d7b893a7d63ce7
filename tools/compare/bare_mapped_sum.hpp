// An allreduce of floats that does nothing else, of buffers that every rank can read where they are: no faults, no checks, no
// other operation. What remains is to read inputs, to write outputs, and to wait for those who have not come as far.
//
// Each rank reduces a slice from all inputs straight into its output, and copies the other slices from the outputs of those
// who reduced them. Piece by piece, so that what was just reduced is still in the caches when it is copied; or all at once,
// which needs to wait least often. (That everybody reduces all of it was never faster.)
//
// In place as well: nobody but who reduces a slice reads it before, so no input is overwritten that is still to be read. But
// what is reduced is nobody's input any more. When a rank dies then, the others can't begin again without it: a library that
// survives that has to do more, which is why this is a bound and no algorithm of Detour's.
//
// Nobody reads a buffer before its owner has called, nor returns before all have read what they need of its own.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "bench/node_window.hpp"
#include "collectives/kernel_combiner.hpp"
#include "compare/bare_meeting.hpp"
#include "compare/mapped_pages.hpp"

namespace detour::tool {

class BareMappedSum {
 public:
  // Collective, as all that follows. Nothing, on any rank, if one of them gets no shared memory from MPI. Buffers are of
  // `pages`, which have to be there as long as this is.
  static std::unique_ptr<BareMappedSum> make(MPI_Comm comm, const MappedPages& pages);

  // What goes past the caches.
  enum class Past { nothing, copies, sums_and_copies };

  // The output may be the input.
  void sum(std::byte* output, const std::byte* input, std::size_t bytes, std::size_t piece_bytes,
           Past past);

 private:
  BareMappedSum(std::unique_ptr<NodeWindow> window, const MappedPages& pages);

  void find_buffers(const std::byte* output, const std::byte* input);
  void reduce(std::byte* output, std::size_t first_byte, std::size_t bytes, Past past);
  void collect(std::byte* output, std::size_t first_byte, std::size_t piece_bytes, Past past) const;
  // Of the ranks in the order in which this one looks at them, itself first.
  std::size_t rank_at(std::size_t step) const;

  std::unique_ptr<NodeWindow> window_;
  const MappedPages& pages_;
  BareMeeting meeting_;
  KernelCombiner combiner_;
  // Of the ranks.
  std::vector<const std::byte*> inputs_;
  std::vector<const std::byte*> outputs_;
  std::vector<const std::byte*> parts_of_inputs_;  // which are just being reduced
};

}  // namespace detour::tool
