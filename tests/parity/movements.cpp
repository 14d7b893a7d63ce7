// Trials of Bcast, Allgather and Allgatherv.
#include <numeric>

#include "detour/detour.h"
#include "trial.hpp"

namespace detour::parity {
namespace {

// The result is the same everywhere, and the ranks share the work of looking at large ones: each looks
// at the own block and at the next, where a shift by a block would show.
void require_blocks(Trial& trial, const Buffer& buffer, const std::vector<int>& blocks,
                    const std::vector<int>& places) {
  const int size = trial.team().size;
  const std::size_t total =
      static_cast<std::size_t>(std::accumulate(blocks.begin(), blocks.end(), 0));
  const bool all = trial.own_part(total).count == total;
  for (int distance = 0; distance < (all ? size : std::min(2, size)); ++distance) {
    const int rank = (trial.team().rank + distance) % size;
    const auto index = static_cast<std::size_t>(rank);
    trial.require_moved(buffer, static_cast<std::size_t>(places[index]), rank,
                        static_cast<std::size_t>(blocks[index]));
  }
  trial.require_bounds(buffer);
  trial.set_common_result(buffer);
}

}  // namespace

void try_bcast(Trial& trial) {
  const std::size_t count = trial.count();
  Buffer buffer = trial.make_buffer(count);
  if (trial.team().rank == trial.root()) trial.put(buffer, 0, trial.root(), count);
  trial.require_success(Detour_Bcast(buffer.data(), static_cast<int>(count), trial.type(),
                                     trial.root(), trial.team().comm));
  trial.require_moved(buffer, 0, trial.root(), count);
  trial.require_bounds(buffer);
  trial.set_common_result(buffer);
}

void try_allgather(Trial& trial) {
  const auto rank = static_cast<std::size_t>(trial.team().rank);
  const auto size = static_cast<std::size_t>(trial.team().size);
  const int block = trial.even_block();
  const auto count = static_cast<std::size_t>(block);
  const bool in_place = trial.combination().in_place;
  Buffer send = trial.make_buffer(count);
  Buffer receive = trial.make_buffer(count * size);
  trial.put(in_place ? receive : send, in_place ? rank * count : 0, trial.team().rank, count);
  const std::uint64_t sent = send.digest();
  trial.require_success(Detour_Allgather(in_place ? MPI_IN_PLACE : send.data(), block, trial.type(),
                                         receive.data(), block, trial.type(), trial.team().comm));
  trial.require(send.digest() == sent, "the input was changed");
  std::vector<int> places;
  for (int place = 0; place < trial.team().size; ++place) places.push_back(place * block);
  require_blocks(trial, receive, std::vector<int>(size, block), places);
}

// The last rank's block comes first, and there is room for an element between any two.
void try_allgatherv(Trial& trial) {
  const auto rank = static_cast<std::size_t>(trial.team().rank);
  const std::vector<int> blocks = trial.uneven_blocks();
  std::vector<int> places(blocks.size());
  int end = 0;
  for (std::size_t i = blocks.size(); i-- > 0;) {
    places[i] = end;
    end += blocks[i] + 1;
  }
  const auto own = static_cast<std::size_t>(blocks[rank]);
  const bool in_place = trial.combination().in_place;
  Buffer send = trial.make_buffer(own);
  Buffer receive = trial.make_buffer(static_cast<std::size_t>(end));
  trial.put(in_place ? receive : send, in_place ? static_cast<std::size_t>(places[rank]) : 0,
            trial.team().rank, own);
  const std::uint64_t sent = send.digest();
  trial.require_success(Detour_Allgatherv(in_place ? MPI_IN_PLACE : send.data(), blocks[rank],
                                          trial.type(), receive.data(), blocks.data(),
                                          places.data(), trial.type(), trial.team().comm));
  trial.require(send.digest() == sent, "the input was changed");
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    trial.require(receive.is_untouched(static_cast<std::size_t>(places[i] + blocks[i])),
                  "an element between two blocks was overwritten");
  }
  require_blocks(trial, receive, blocks, places);
}

}  // namespace detour::parity
