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
//   - A small slot of call q is written again in call q+2, like an entry: see call_board.hpp.
//   - A staging slot of piece p is written again for piece p+2, after everybody's `reduced` is past p.
//   - A result slot of piece p is written again for piece p+2, after everybody's `copied` is past p.
// Counters are raised with release and read with acquire semantics, so whoever sees a count sees the data.
//
// Sums are formed in rank order, always, so all ranks get the same bits.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/combiner.hpp"
#include "node/call_board.hpp"
#include "shm/waiter.hpp"

namespace detour {

enum class CallResult {
  done,
  mismatch,  // verdict() says why: nothing was written, the next call works
  stopped,   // the waiter was told to stop
};

class DirectGroup {
 public:
  // The board has to live longer. Its members' blocks are laid out like this.
  DirectGroup(CallBoard& board, const MemberBlockLayout& layout, Waiter waiter);

  // Elements are not cut up: larger ones can't be reduced here.
  bool holds_elements_of(std::size_t bytes) const { return bytes <= layout_.piece_bytes; }
  bool needs_pipeline(std::size_t bytes) const { return bytes > layout_.small_bytes; }
  // Where this rank's pipeline is in its heap; before the first call that needs one. It may be moved
  // only while pipeline_is_idle().
  void set_pipeline(std::uint64_t offset) { pipeline_offset_ = offset; }
  bool pipeline_is_idle() const;

  // Input and output may be the same. The header's bytes are the size of both.
  CallResult allreduce(const CallHeader& header, const Combiner& combiner, const std::byte* input,
                       std::byte* output);
  // Calls that move no data: barriers, and those that fail.
  CallResult meet(const CallHeader& header);

  // Of the last call.
  const CallVerdict& verdict() const { return verdict_; }

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
  void find_pipelines();
  void reduce_small(const Combiner& combiner, std::size_t count, std::byte* output);
  CallResult reduce_in_pieces(const Combiner& combiner, const std::byte* input, std::byte* output,
                              std::size_t bytes);
  void stage(const Piece& piece, std::size_t element_bytes, const std::byte* input);
  void reduce_slice(const Piece& piece, const Combiner& combiner, const std::byte* input);
  void copy_slices(const Piece& piece, std::size_t element_bytes, std::byte* output);
  Slice slice_of(const Piece& piece, std::size_t member, std::size_t element_bytes) const;
  Piece piece_at(std::size_t index, std::size_t element_bytes, std::size_t bytes) const;
  std::size_t rank() const { return board_.rank(); }
  const std::vector<MemberBlock>& members() const { return board_.members(); }
  const MemberBlock& own() const { return board_.own(); }

  CallBoard& board_;
  const MemberBlockLayout layout_;
  const Waiter waiter_;
  CallVerdict verdict_;
  std::uint64_t pipeline_offset_ = 0;
  std::vector<std::uint64_t> pipelines_;  // all members' offsets, in the current call
  std::vector<const Counter*> staged_;
  std::vector<const Counter*> reduced_;
  std::vector<const Counter*> copied_;
  std::uint64_t piece_count_ = 0;
  std::vector<const std::byte*> inputs_;
};

}  // namespace detour
