// An allreduce of floats that does nothing else: no faults, no checks, no other operation. What remains is what ranks have to
// do that can't read each other's buffers: put their data where others see it, and get the sums from there.
//
//   Slices: each rank reduces a slice. So everybody copies the other slices of its input into a slot of its own, reduces its
//   slice from its input and the others' slots, into another slot and its output, and copies the other slices of the output
//   from the others' slots. Piece by piece, so that slots stay in the caches.
//   Whole: everybody copies all of it into a slot, and reduces all of it. One synchronisation, for little data or few ranks.
//
// Slots are used in turns, by the number of the piece, over all calls. Who stages piece p+2 has seen all reduce p+1, so they
// have reduced p and read what was staged for it; and who reduces p+2 has seen all stage that, so they have got all of p.
// Between whole pieces, who stages p+2 has seen all stage p+1, after they had reduced p.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/node_window.hpp"
#include "collectives/kernel_combiner.hpp"
#include "compare/bare_meeting.hpp"

namespace detour::tool {

class BareExchange {
 public:
  // Collective, as all that follows. Nothing, on any rank, if one of them gets no shared memory from MPI.
  static std::unique_ptr<BareExchange> make(MPI_Comm comm);

  // What goes past the caches.
  enum class Past { nothing, outputs, slots_and_outputs };

  // The output may be the input.
  void sum_in_slices(std::byte* output, const std::byte* input, std::size_t bytes, Past past);
  // At most so many.
  static constexpr std::size_t whole_bytes_max = std::size_t{256} << 10;
  void sum_whole(std::byte* output, const std::byte* input, std::size_t bytes, Past past);

 private:
  explicit BareExchange(std::unique_ptr<NodeWindow> window);

  std::byte* staging(std::size_t rank) const;
  std::byte* result(std::size_t rank) const;
  void stage(const std::byte* input, std::size_t piece_bytes, Past past) const;
  void reduce(std::byte* output, const std::byte* input, std::size_t piece_bytes, Past past);
  void collect(std::byte* output, std::size_t piece_bytes, Past past) const;

  std::unique_ptr<NodeWindow> window_;
  BareMeeting meeting_;
  KernelCombiner sum_;
  std::uint64_t piece_count_ = 0;  // those that are begun
  std::vector<const std::byte*> inputs_;
};

}  // namespace detour::tool
