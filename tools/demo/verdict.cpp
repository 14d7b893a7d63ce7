#include "demo/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace detour::demo {
namespace {

bool is_victim(const Progress& progress, int rank) {
  return std::any_of(progress.kills().begin(), progress.kills().end(),
                     [&](const Kill& kill) { return kill.rank == rank; });
}

std::optional<std::string> find_fault_of_rank(const Progress& progress, int rank) {
  const Death* const death = progress.death_of(rank);
  if (is_victim(progress, rank)) {
    if (death == nullptr) return fmt::format("rank {} was not killed", rank);
    if (progress.end_of(rank)) return fmt::format("rank {} finished before it died", rank);
    return std::nullopt;
  }
  if (death != nullptr) return fmt::format("rank {} died, and nobody had killed it", rank);
  if (!progress.end_of(rank)) return fmt::format("rank {} did not finish", rank);
  return std::nullopt;
}

// The first of the survivors to be compared with.
const Ended* first_end(const Progress& progress) {
  for (int rank = 0; rank < progress.rank_count(); ++rank) {
    if (progress.end_of(rank)) return &*progress.end_of(rank);
  }
  return nullptr;
}

}  // namespace

std::optional<std::string> find_fault(const Progress& progress, int exit_status) {
  for (int rank = 0; rank < progress.rank_count(); ++rank) {
    if (auto fault = find_fault_of_rank(progress, rank)) return fault;
  }
  if (exit_status != 0) return fmt::format("the job ended with status {}", exit_status);
  const Ended* const first = first_end(progress);
  if (first == nullptr) return "nobody is left";
  for (int rank = 0; rank < progress.rank_count(); ++rank) {
    const auto& end = progress.end_of(rank);
    if (end && *end != *first)
      return fmt::format("rank {} has another loss or other weights", rank);
  }
  if (progress.has_contradiction()) return "ranks have told different things of one step";
  if (progress.last_step() != progress.step_count()) return "steps are missing";
  if (progress.steps().back().facts.loss >= progress.steps().front().facts.loss) {
    return "the loss has not fallen";
  }
  return std::nullopt;
}

std::string ends_text(const Progress& progress) {
  std::string text;
  for (int rank = 0; rank < progress.rank_count(); ++rank) {
    const Death* const death = progress.death_of(rank);
    const auto& end = progress.end_of(rank);
    if (end) {
      text += fmt::format("rank {:2}  loss {}  weights {}\n", rank, end->loss, end->weights);
    } else if (death != nullptr) {
      text += fmt::format("rank {:2}  died after step {}\n", rank, death->step);
    } else {
      text += fmt::format("rank {:2}  said nothing\n", rank);
    }
  }
  return text;
}

}  // namespace detour::demo
