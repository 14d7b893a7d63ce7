// Link loads in three steps, relative to the busiest link, which is all that a terminal can show.
#pragma once

#include <cstdint>
#include <string>

#include "detour/routing/cost_model.hpp"
#include "text_canvas.hpp"

namespace detour::render {

class LoadLevels {
 public:
  static constexpr std::size_t level_count = 3;

  LoadLevels(const Topology& topology, const Plan& plan);

  // 0: idle, 3: among the busiest. Of a link, the busier direction counts.
  std::size_t level(CellId a, CellId b) const;
  // The largest level of any link of a cell, hops beyond the mesh excepted.
  std::size_t level_of(CellId cell) const;
  // The load up to which a level goes, as a part of the payload.
  double level_max(std::size_t level) const;
  const LinkLoads& loads() const { return loads_; }

 private:
  Mesh mesh_;
  LinkLoads loads_;
  std::uint64_t load_max_;
  std::uint64_t total_share_;
};

Ink ink_of_level(std::size_t level);

}  // namespace detour::render
