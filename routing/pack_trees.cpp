#include "pack_trees.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace detour {
namespace {

// Packing to the last link is slow where all of the mesh is tight; a little slack makes it fast. Each of
// these is tried after the one before has run out of steps; the first is none at all.
constexpr std::array<double, 4> slacks{1, 1.01, 1.03, 1.07};
// A packing that is this much better is worth its larger number of trees.
constexpr double worthwhile = 0.998;
// Building a tree is work too, and memory.
constexpr std::int32_t tree_count_limit = 1024;
// Every round but the last proves a higher bound, or gives up on coming so near to it.
constexpr int round_count_max = 8;

// The load that a link has to bear at least when `tree_count` trees are packed.
std::int32_t load_min(Ratio ratio, std::int32_t tree_count) {
  return static_cast<std::int32_t>((tree_count * ratio.parts + ratio.links - 1) / ratio.links);
}

// The number of trees with which the bound can be met, if it is small: K trees with at most c on
// each link exist if and only if c/K is not below the limit (Tutte, Nash-Williams). 0 if it is not
// small.
std::int32_t exact_tree_count(Ratio ratio, std::int32_t tree_count_max) {
  const std::int64_t denominator = ratio.links / std::gcd(ratio.parts, ratio.links);
  return denominator <= tree_count_max ? static_cast<std::int32_t>(denominator) : 0;
}

// The number of trees that comes close to the bound, but not closer than the slack.
std::int32_t ample_tree_count(Ratio ratio, std::int32_t tree_count_max, double slack) {
  const double bound = static_cast<double>(ratio.parts) / static_cast<double>(ratio.links);
  std::int32_t best = 1;
  double best_time = 1;
  for (std::int32_t count = 2; count <= tree_count_max; ++count) {
    const double time = static_cast<double>(load_min(ratio, count)) / count;
    if (time < bound * slack || time > best_time * worthwhile) continue;
    best = count;
    best_time = time;
  }
  return best;
}

bool better(const TreePacking& a, const TreePacking& b) {
  const std::int64_t a_times_b = std::int64_t{a.load_max()} * b.tree_count();
  const std::int64_t b_times_a = std::int64_t{b.load_max()} * a.tree_count();
  return std::pair(a_times_b, a.tree_count()) < std::pair(b_times_a, b.tree_count());
}

TreePacking::Result lower_towards(TreePacking& packing, std::int32_t target, std::int64_t& steps) {
  auto result = TreePacking::Result::reached;
  while (result == TreePacking::Result::reached && packing.load_max() > target) {
    result = packing.lower_to(packing.load_max() - 1, steps);
  }
  return result;
}

}  // namespace

// Pack for the bound that is known; if that can't be done, the packing proves a higher one: pack for
// that. Where half of the steps that are left don't suffice, stay further away from the bound.
PackedTrees pack_trees(const LiveGraph& graph, const Mesh& mesh, std::int32_t tree_count_max) {
  tree_count_max = std::min(tree_count_max, tree_count_limit);
  std::int64_t steps = std::max<std::int64_t>(1'000'000, std::int64_t{1000} * graph.node_count());
  PackedTrees best{TreePacking(graph, mesh, 1), {graph.node_count() - 1, graph.link_count()}, {}};
  std::size_t level = 0;
  for (int round = 0; round < round_count_max && level < slacks.size(); ++round) {
    std::int32_t count = level == 0 ? exact_tree_count(best.proven, tree_count_max) : 0;
    if (count == 0) {
      const double slack = slacks[std::max<std::size_t>(level, 1)];
      count = ample_tree_count(best.proven, tree_count_max, slack);
    }
    TreePacking packing(graph, mesh, count);
    std::int64_t steps_now = steps / 2;
    steps -= steps_now;
    const auto result = lower_towards(packing, load_min(best.proven, count), steps_now);
    steps += steps_now;
    if (result == TreePacking::Result::impossible && best.proven < packing.proven()) {
      best.proven = packing.proven();
      best.partition = packing.proof();
    }
    if (better(packing, best.packing)) best.packing = std::move(packing);
    if (result == TreePacking::Result::reached) break;
    if (result == TreePacking::Result::out_of_steps) ++level;
  }
  return best;
}

}  // namespace detour
