#include "demo/words.hpp"

#include <fmt/format.h>

namespace detour::demo {

std::string title(const Progress& progress, const MeshPicture& mesh) {
  return fmt::format("{} ranks on a {}x{} mesh train a net that reads digits, with plain MPI calls",
                     progress.rank_count(), mesh.mesh().rows(), mesh.mesh().cols());
}

std::string death_line(const Death& death, const MeshPicture& mesh) {
  const Cell cell = mesh.cell_of(death.rank);
  std::string line =
      fmt::format("{:5.1f} s  step {:3}  rank {} {}, cell {},{}", death.seconds, death.step,
                  death.rank, death.is_killed ? "killed" : "died", cell.row, cell.col);
  if (!death.silence_seconds) return line;
  return line + fmt::format("; {} go on, next step after {:.0f} ms", death.survivor_count,
                            *death.silence_seconds * 1000);
}

std::string rate_text(double bytes_per_second) {
  return fmt::format("{:.1f} MB/s", bytes_per_second / 1e6);
}

}  // namespace detour::demo
