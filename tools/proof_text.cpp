#include "proof_text.hpp"

#include <algorithm>
#include <cmath>

#include "format.hpp"

namespace detour::tool {
namespace {

using Part = std::vector<CellId>;

constexpr std::int32_t page_width = 100;
constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// How cells of parts of their own, most of them usually, are told from the larger parts.
std::string_view single_sign(bool unicode) {
  return unicode ? "·" : ".";
}

std::int64_t to_count(std::size_t size) {
  return static_cast<std::int64_t>(size);
}

std::string argument(const Bound& bound) {
  const std::string parts = count(to_count(bound.partition.size()), "part");
  if (!std::isfinite(bound.time())) {
    return "no limit: no mesh link joins the " + parts +
           ", and bridges may be as fast as they like\n";
  }
  const std::string crossings = std::to_string(bound.part_count_minus_one);
  const std::string links = std::to_string(bound.link_count);
  return "proof of the limit T*: cut the live cells into " + parts + ", with " +
         count(bound.link_count, "link") + " between them.\n" +
         "Every byte of the sum needs something of each part, and each part needs the sum: " +
         crossings + " M over\n" +
         (bound.link_count == 1 ? "that link" : "those " + links + " links") +
         ", each way. No plan is faster than " + crossings + "/" + links + " = " +
         fixed(bound.time(), 4) + " M/B.\n";
}

// "1-3", or "1".
std::string range_text(std::int32_t first, std::int32_t last) {
  return std::to_string(first) + (first == last ? "" : "-" + std::to_string(last));
}

struct Block {
  Cell first;
  Cell last;
};

// A part, ascending, as runs in rows, those of the same columns put together.
std::vector<Block> blocks_of(const Mesh& mesh, const Part& part) {
  std::vector<Block> runs;
  for (const CellId id : part) {
    const Cell cell = mesh.cell(id);
    const bool continues = !runs.empty() && runs.back().last == Cell{cell.row, cell.col - 1};
    if (continues) {
      runs.back().last = cell;
    } else {
      runs.push_back({cell, cell});
    }
  }
  std::vector<Block> blocks;
  for (const Block& run : runs) {
    const auto above = std::find_if(blocks.begin(), blocks.end(), [&](const Block& block) {
      return block.last.row + 1 == run.first.row && block.first.col == run.first.col &&
             block.last.col == run.last.col;
    });
    if (above == blocks.end()) {
      blocks.push_back(run);
    } else {
      above->last = run.last;
    }
  }
  return blocks;
}

// In the notation of --fail: "0-3,0-7".
std::string part_words(const Mesh& mesh, const Part& part) {
  constexpr std::size_t block_count_max = 6;
  const auto blocks = blocks_of(mesh, part);
  std::string text;
  for (std::size_t at = 0; at < std::min(blocks.size(), block_count_max); ++at) {
    const Block& block = blocks[at];
    text += (at == 0 ? "" : "  ") + range_text(block.first.row, block.last.row) + "," +
            range_text(block.first.col, block.last.col);
  }
  return text + (blocks.size() > block_count_max ? "  ..." : "");
}

// Letters start again where there are more parts; the drawing still tells neighbours apart.
char letter_of(std::size_t large_part) {
  return letters[large_part % letters.size()];
}

std::string parts_in_words(const Mesh& mesh, const Bound& bound, bool unicode) {
  constexpr std::size_t listed_max = 20;
  std::string text;
  std::size_t large_count = 0;
  std::int64_t single_count = 0;
  for (const Part& part : bound.partition) {
    if (part.size() == 1) {
      ++single_count;
    } else if (large_count++ < listed_max) {
      text += std::string("  ") + letter_of(large_count - 1) + "  " +
              count(to_count(part.size()), "cell") + ": " + part_words(mesh, part) + "\n";
    }
  }
  if (large_count > listed_max) {
    text += "     and " + count(to_count(large_count - listed_max), "more part") + "\n";
  }
  if (single_count > 0) {
    text += "  " + std::string(single_sign(unicode)) + "  " + count(single_count, "part") +
            " of a single cell" + (single_count == 1 ? "" : " each") + "\n";
  }
  return text;
}

std::vector<std::string> signs(const Topology& topology, const Bound& bound, bool unicode) {
  std::vector<std::string> signs(static_cast<std::size_t>(topology.mesh().cell_count()),
                                 unicode ? "×" : "x");
  std::size_t large_count = 0;
  for (const Part& part : bound.partition) {
    const std::string sign = part.size() == 1 ? std::string(single_sign(unicode))
                                              : std::string(1, letter_of(large_count++));
    for (const CellId cell : part) signs[static_cast<std::size_t>(cell)] = sign;
  }
  return signs;
}

std::string drawing(const Topology& topology, const Bound& bound, bool unicode) {
  const Mesh& mesh = topology.mesh();
  if (mesh.cols() + 2 > page_width) return "  (too wide to draw)\n";
  const std::string gap = 2 * mesh.cols() + 2 <= page_width ? " " : "";
  const auto cells = signs(topology, bound, unicode);
  std::string text;
  for (std::int32_t row = 0; row < mesh.rows(); ++row) {
    text += "  ";
    for (std::int32_t col = 0; col < mesh.cols(); ++col) {
      text += (col == 0 ? "" : gap) + cells[static_cast<std::size_t>(mesh.id({row, col}))];
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string proof_text(const Topology& topology, const Bound& bound, bool unicode) {
  if (bound.part_count_minus_one == 0) return "proof: a single cell has nothing to exchange\n";
  return argument(bound) + parts_in_words(topology.mesh(), bound, unicode) + "\n" +
         drawing(topology, bound, unicode);
}

}  // namespace detour::tool
