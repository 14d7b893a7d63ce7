#include "compare/limit_entrants.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "compare/bare_exchange.hpp"
#include "compare/bare_mapped_sum.hpp"
#include "compare/comparison.hpp"
#include "compare/memory_limit.hpp"

namespace detour::tool {
namespace {

void add_memory(std::vector<Entrant>& entrants, const std::string& name, AllreduceCall call) {
  entrants.push_back({.series = {name, Role::limit, Buffers::any},
                      .call = std::move(call),
                      .bytes_min = memory_bytes_min,
                      .ranks_meet = false});
}

void add_meeting(std::vector<Entrant>& entrants, NodeBarrier& barrier) {
  entrants.push_back({.series = {"meeting", Role::limit, Buffers::any},
                      .call =
                          [&barrier](const void*, void*, int) {
                            barrier.wait();
                            return MPI_SUCCESS;
                          },
                      .bytes_max = memory_bytes_min - 1});
}

// Moves floats from one buffer to the other, which is the same in place.
template <class Move>
AllreduceCall moving(Move move) {
  return [move](const void* send, void* receive, int count) {
    auto* const output = static_cast<std::byte*>(receive);
    move(output, send != nullptr ? static_cast<const std::byte*>(send) : output,
         static_cast<std::size_t>(count) * sizeof(float));
    return MPI_SUCCESS;
  };
}

using Exchange = decltype(&BareExchange::sum_whole);

// Each with slots of its own: in those of another one, called just before, it would find lines that are still in the caches,
// as nobody else does.
void add_exchange(std::vector<Entrant>& entrants, const std::string& name, Exchange sum,
                  BareExchange::Past past, std::uint64_t bytes_min,
                  std::uint64_t bytes_max = std::numeric_limits<std::uint64_t>::max()) {
  const std::shared_ptr<BareExchange> exchange = BareExchange::make(MPI_COMM_WORLD);
  if (!exchange) return;
  const auto move = [exchange, sum, past](std::byte* to, const std::byte* from, std::size_t bytes) {
    ((*exchange).*sum)(to, from, bytes, past);
  };
  entrants.push_back({.series = {name, Role::exchange, Buffers::any},
                      .call = moving(move),
                      .bytes_min = bytes_min,
                      .bytes_max = bytes_max});
}

constexpr std::size_t all_at_once = std::numeric_limits<std::size_t>::max();

void add_mapped_sum(std::vector<Entrant>& entrants, const std::string& name,
                    const MappedPages& pages, std::size_t piece_bytes, BareMappedSum::Past past,
                    std::uint64_t bytes_min) {
  const std::shared_ptr<BareMappedSum> mapped = BareMappedSum::make(MPI_COMM_WORLD, pages);
  if (!mapped) return;
  const auto sum = [mapped, piece_bytes, past](std::byte* to, const std::byte* from,
                                               std::size_t bytes) {
    mapped->sum(to, from, bytes, piece_bytes, past);
  };
  entrants.push_back({.series = {name, Role::exchange, Buffers::shared},
                      .call = moving(sum),
                      .bytes_min = bytes_min,
                      .reads_peers = true});
}

}  // namespace

void add_limits(std::vector<Entrant>& entrants, NodeBarrier* barrier, bool in_place) {
  if (barrier != nullptr) add_meeting(entrants, *barrier);
  if (in_place) {
    add_memory(entrants, "memory", moving([](std::byte* data, const std::byte*, std::size_t bytes) {
                 pass_over(data, bytes);
               }));
  } else {
    add_memory(entrants, "memory", moving(move_through_caches));
    add_memory(entrants, "memory, streaming", moving(move_past_caches));
  }
}

// Through the caches and past them: which is faster depends on the size and on the machine.
void add_bare_exchanges(std::vector<Entrant>& entrants) {
  const auto add = [&](const std::string& how, BareExchange::Past past) {
    add_exchange(entrants, "bare exchange" + how, &BareExchange::sum_in_slices, past,
                 all_exchanges_bytes_min);
    add_exchange(entrants, "bare exchange of all" + how, &BareExchange::sum_whole, past,
                 past == BareExchange::Past::nothing ? 0 : all_exchanges_bytes_min,
                 BareExchange::whole_bytes_max);
  };
  add("", BareExchange::Past::nothing);
  add(", outputs streaming", BareExchange::Past::outputs);
  add(", streaming", BareExchange::Past::slots_and_outputs);
}

// Which of them is fastest depends on the size and on how many ranks there are; other pieces were never faster by much.
void add_bare_mapped_sums(std::vector<Entrant>& entrants, const MappedPages& pages, bool in_place) {
  using Past = BareMappedSum::Past;
  constexpr std::size_t mib = std::size_t{1} << 20;
  const std::size_t piece_bytes = in_place ? mib : 2 * mib;
  const auto add = [&](const std::string& how, std::size_t bytes, Past past,
                       std::uint64_t bytes_min = shared_bytes_min) {
    add_mapped_sum(entrants, "bare mapped sum" + how, pages, bytes, past, bytes_min);
  };
  add("", piece_bytes, Past::nothing);
  if (in_place) {
    add(" at once, copies streaming", all_at_once, Past::copies);
    add(" at once, streaming", all_at_once, Past::sums_and_copies);
  } else {
    add(", streaming", piece_bytes, Past::sums_and_copies);
    // Up to there it is the same.
    add(" at once, streaming", all_at_once, Past::sums_and_copies, piece_bytes + 1);
  }
}

}  // namespace detour::tool
