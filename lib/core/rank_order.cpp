#include "core/rank_order.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "collectives/kernel_combiner.hpp"

namespace detour {
namespace {

// Bounds the memory that is taken, whatever the payload.
constexpr std::uint64_t gathered_bytes_max = std::uint64_t{4} << 20;

}  // namespace

int reduce_in_rank_order(const Call& call, std::size_t rank, std::size_t rank_count,
                         const std::function<int(const Call&)>& run) {
  const NoCombiner mover;
  const std::size_t element_bytes = call.combiner->element_bytes();
  const std::uint64_t whole_piece =
      std::max<std::uint64_t>(gathered_bytes_max / rank_count / element_bytes, 1) * element_bytes;
  // Whoever gets only a part of the result forms all of it aside.
  std::vector<std::byte> aside(call.gets_everything() ? 0 : call.header.bytes);
  std::byte* const result = call.gets_everything() ? call.output : aside.data();
  std::vector<std::byte> gathered;
  for (std::uint64_t first = 0; first < call.header.bytes; first += whole_piece) {
    const std::uint64_t piece_bytes = std::min(whole_piece, call.header.bytes - first);
    gathered.resize(piece_bytes * rank_count);
    std::memcpy(gathered.data() + rank * piece_bytes, call.input + first, piece_bytes);
    Call gather;
    gather.header.kind = CallKind::allgather;
    gather.header.bytes = gathered.size();
    gather.combiner = &mover;
    gather.input = gather.output = gathered.data();
    gather.output_bytes = gathered.size();
    gather.block_counts.assign(rank_count, piece_bytes);
    if (const int error = run(gather); error != 0) return error;
    std::vector<const std::byte*> operands;
    for (std::size_t from = 0; from < rank_count; ++from) {
      operands.push_back(gathered.data() + from * piece_bytes);
    }
    call.combiner->combine(result + first, operands, piece_bytes / element_bytes);
  }
  if (!aside.empty() && call.output_bytes > 0) {
    std::memcpy(call.output, aside.data() + call.output_first_byte, call.output_bytes);
  }
  return 0;
}

}  // namespace detour
