// The plan `direct` over shared memory, fused: the ranks of one node reduce straight from each other's
// memory.
//
//   small:  every rank puts its data into its own slot and raises `entered`; when all have, every rank
//           reads all slots and reduces them itself. One synchronisation.
//   large:  piece by piece. Every rank stages its piece, reduces its own slice from everybody's staging
//           slot into its result slot, and copies all slices into its output. Staging piece p+1
//           overlaps with waiting for piece p.
//
// Who may overwrite what, and when (two slots of each, used in turns):
//   - A header or small slot of call q is written again in call q+2. To get there its owner has finished
//     call q+1, so it has seen everybody enter call q+1, and whoever does has left call q.
//   - A staging slot of piece p is written again for piece p+2, after everybody's `reduced` is past p.
//   - A result slot of piece p is written again for piece p+2, after everybody's `copied` is past p.
// Counters are raised with release and read with acquire semantics, so whoever sees a count sees the data.
//
// Sums are formed in rank order, always, so all ranks get the same bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectives/kernels.hpp"
#include "node/member_block.hpp"
#include "shm/waiter.hpp"

namespace detour {

enum class CallResult {
  done,
  mismatch,  // the ranks have called different things: nothing was written, the next call works
  stopped,   // the waiter was told to stop
};

class DirectGroup {
 public:
  // The members' blocks in rank order, all laid out alike and created, mapped by this rank.
  DirectGroup(std::size_t rank, std::vector<MemberBlock> members, const MemberBlockLayout& layout,
              Waiter waiter);

  // Input and output may be the same. The header's bytes are the size of both.
  CallResult allreduce(const CallHeader& header, FusedKernel kernel, std::size_t element_bytes,
                       const std::byte* input, std::byte* output);
  CallResult barrier();

 private:
  struct Piece {
    std::uint64_t number;  // over all calls
    std::size_t first_byte;
    std::size_t bytes;
  };
  struct Slice {
    std::size_t first_byte;  // in its piece
    std::size_t bytes;
  };

  CallResult enter(const CallHeader& header);
  void reduce_small(std::uint64_t call, FusedKernel kernel, std::size_t count, std::byte* output);
  CallResult reduce_in_pieces(FusedKernel kernel, std::size_t element_bytes, const std::byte* input,
                              std::byte* output, std::size_t bytes);
  void stage(const Piece& piece, std::size_t element_bytes, const std::byte* input);
  void reduce_slice(const Piece& piece, FusedKernel kernel, std::size_t element_bytes,
                    const std::byte* input);
  void copy_slices(const Piece& piece, std::size_t element_bytes, std::byte* output);
  Slice slice_of(const Piece& piece, std::size_t member, std::size_t element_bytes) const;
  Piece piece_at(std::size_t index, std::size_t element_bytes, std::size_t bytes) const;
  const MemberBlock& own() const { return members_[rank_]; }

  const std::size_t rank_;
  const std::vector<MemberBlock> members_;
  const MemberBlockLayout layout_;
  const Waiter waiter_;
  std::vector<const Counter*> entered_;
  std::vector<const Counter*> staged_;
  std::vector<const Counter*> reduced_;
  std::vector<const Counter*> copied_;
  std::uint64_t call_count_ = 0;
  std::uint64_t piece_count_ = 0;
  std::vector<const std::byte*> inputs_;
};

}  // namespace detour
