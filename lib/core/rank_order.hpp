// Reductions whose operands have to be taken in rank order, among ranks that don't share memory. Trees
// on a mesh don't keep that order, so everybody gets all operands and combines them itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "collectives/call.hpp"

namespace detour {

class RankOrderReduction {
 public:
  // Gets all memory that it takes: look at has_memory() before the ranks agree on the call, which has to
  // live longer.
  RankOrderReduction(const Call& call, std::size_t rank, std::size_t rank_count);

  bool has_memory() const;

  // Once all have agreed. `run` carries out the calls that this takes and returns their error.
  int run(const std::function<int(const Call&)>& run_call);

 private:
  int gather(std::uint64_t first_byte, std::uint64_t piece_bytes,
             const std::function<int(const Call&)>& run_call);
  void combine(std::uint64_t first_byte, std::uint64_t piece_bytes);

  const Call& call_;
  const std::size_t rank_;
  const std::size_t rank_count_;
  const std::uint64_t piece_bytes_;              // of each rank's, at most
  const std::unique_ptr<std::byte[]> gathered_;  // one piece of every rank's
  const std::unique_ptr<std::byte[]> aside_;  // for who gets only a part of the result: all of it
};

}  // namespace detour
