// A plan is over cells; what runs is over ranks. A cell may hold several ranks, and a rank may be
// wherever its node's cores are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectives/chunking.hpp"
#include "detour/routing/plan.hpp"

namespace detour {

using Rank = std::int32_t;
inline constexpr Rank no_rank = -1;

struct RankHop {
  Rank from = no_rank;
  Rank to = no_rank;
  auto operator<=>(const RankHop&) const = default;
};

// A range of the payload on its way: up a tree of ranks to a root, and down another one.
// Either half may be absent: a reduction has no broadcast, a broadcast no reduction.
struct RankFlow {
  ElementRange elements;
  Rank root = no_rank;
  bool has_reduce = true;
  bool has_broadcast = true;
  std::vector<RankHop> reduce;  // child -> parent, children in the order in which they are summed
  std::vector<RankHop> broadcast;  // parent -> child
};

// Which ranks live in which cell. A cell without ranks is a hole.
class CellMap {
 public:
  // By cell: its ranks, the first of which is not special.
  explicit CellMap(std::vector<std::vector<Rank>> ranks_of_cell);

  // One rank per cell, in ascending order of cells.
  static CellMap one_rank_per_cell(const Topology& topology);

  std::int32_t rank_count() const { return rank_count_; }
  CellId cell_count() const { return static_cast<CellId>(ranks_of_cell_.size()); }
  const std::vector<Rank>& ranks(CellId cell) const {
    return ranks_of_cell_[static_cast<std::size_t>(cell)];
  }

 private:
  std::vector<std::vector<Rank>> ranks_of_cell_;
  std::int32_t rank_count_ = 0;
};

// The flows of an allreduce of so many elements. In each flow one rank of every cell speaks for it,
// another one in the next flow, so that the work of a cell is spread over its ranks; the others hang
// on it. Flows that get no element are left out.
std::vector<RankFlow> expand_plan(const Plan& plan, const CellMap& cells,
                                  std::uint64_t element_count);

// The same check as find_defect makes of a plan, of what became of it: nothing if the flows cut up all
// elements and each tree spans all ranks; otherwise a sentence that names the first defect.
std::optional<std::string> find_flow_defect(const std::vector<RankFlow>& flows,
                                            std::int32_t rank_count, std::uint64_t element_count);

}  // namespace detour
