#include "core/rank_order.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "collectives/kernel_combiner.hpp"

namespace detour {
namespace {

// Bounds the memory that is taken, whatever the payload, unless single elements are larger.
constexpr std::uint64_t gathered_bytes_max = std::uint64_t{4} << 20;

std::uint64_t bytes_per_piece(const Call& call, std::size_t rank_count) {
  const std::size_t element_bytes = call.combiner->element_bytes();
  const std::uint64_t element_count =
      std::max<std::uint64_t>(gathered_bytes_max / rank_count / element_bytes, 1);
  return std::min(element_count * element_bytes, call.header.bytes);
}

}  // namespace

RankOrderReduction::RankOrderReduction(const Call& call, std::size_t rank, std::size_t rank_count)
    : call_(call),
      rank_(rank),
      rank_count_(rank_count),
      piece_bytes_(bytes_per_piece(call, rank_count)),
      gathered_(new (std::nothrow) std::byte[piece_bytes_ * rank_count]),
      aside_(call.gets_everything() ? nullptr : new (std::nothrow) std::byte[call.header.bytes]) {}

bool RankOrderReduction::has_memory() const {
  return gathered_ && (aside_ || call_.gets_everything());
}

int RankOrderReduction::run(const std::function<int(const Call&)>& run_call) {
  for (std::uint64_t first = 0; first < call_.header.bytes; first += piece_bytes_) {
    const std::uint64_t bytes = std::min(piece_bytes_, call_.header.bytes - first);
    if (const int error = gather(first, bytes, run_call); error != 0) return error;
    combine(first, bytes);
  }
  if (aside_ && call_.output_bytes > 0) {
    std::memcpy(call_.output, aside_.get() + call_.output_first_byte, call_.output_bytes);
  }
  return 0;
}

int RankOrderReduction::gather(std::uint64_t first_byte, std::uint64_t piece_bytes,
                               const std::function<int(const Call&)>& run_call) {
  static const NoCombiner mover;
  std::memcpy(gathered_.get() + rank_ * piece_bytes, call_.input + first_byte, piece_bytes);
  Call gather;
  gather.header.kind = CallKind::allgather;
  gather.header.bytes = piece_bytes * rank_count_;
  gather.combiner = &mover;
  gather.input = gather.output = gathered_.get();
  gather.output_bytes = gather.header.bytes;
  gather.block_counts.assign(rank_count_, piece_bytes);
  return run_call(gather);
}

void RankOrderReduction::combine(std::uint64_t first_byte, std::uint64_t piece_bytes) {
  std::vector<const std::byte*> operands;
  for (std::size_t from = 0; from < rank_count_; ++from) {
    operands.push_back(gathered_.get() + from * piece_bytes);
  }
  std::byte* const result = aside_ ? aside_.get() : call_.output;
  call_.combiner->combine(result + first_byte, operands,
                          piece_bytes / call_.combiner->element_bytes());
}

}  // namespace detour
