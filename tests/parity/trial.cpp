#include "trial.hpp"

#include "detour/detour.h"

namespace detour::parity {

Trial::Trial(const Combination& combination, const Universe& universe, const Team& team)
    : combination_(combination),
      subject_(universe.subject(combination)),
      operation_(universe.operation(combination)),
      team_(team),
      team_seed_(mixed(combination.seed + team.color)) {}

Buffer Trial::make_buffer(std::size_t element_count) const {
  return Buffer(*operation_.elements, element_count,
                combination_.seed + static_cast<std::uint64_t>(team_.rank));
}

std::uint64_t Trial::bits(int rank, std::size_t i) const {
  return mixed(mixed(team_seed_ + static_cast<std::uint64_t>(rank)) + i);
}

void Trial::put(Buffer& buffer, std::size_t at, int rank, std::size_t element_count) const {
  for (std::size_t i = 0; i < element_count; ++i) {
    operation_.elements->put(bits(rank, i), buffer.element(at + i));
  }
}

void Trial::require(bool is_right, const std::string& complaint) {
  if (!is_right && finding_.complaint.empty()) finding_.complaint = complaint;
}

void Trial::require_success(int error) {
  if (error == MPI_SUCCESS) return;
  int error_class = MPI_SUCCESS;
  MPI_Error_class(error, &error_class);
  require(false, "returned an error of class " + std::to_string(error_class));
}

void Trial::require_reduced(const Buffer& buffer, std::size_t at, std::size_t first,
                            std::size_t element_count) {
  std::vector<std::uint64_t> contributions(static_cast<std::size_t>(team_.size));
  for (std::size_t i = 0; i < element_count; ++i) {
    for (int rank = 0; rank < team_.size; ++rank) {
      contributions[static_cast<std::size_t>(rank)] = bits(rank, first + i);
    }
    if (!operation_.elements->is_reduction(contributions, buffer.element(at + i))) {
      return require(false, "element " + std::to_string(first + i) + " is wrong");
    }
  }
}

void Trial::require_moved(const Buffer& buffer, std::size_t at, int rank,
                          std::size_t element_count) {
  for (std::size_t i = 0; i < element_count; ++i) {
    const std::uint64_t contribution = bits(rank, i);
    if (!operation_.elements->is_reduction({&contribution, 1}, buffer.element(at + i))) {
      return require(
          false, "element " + std::to_string(i) + " of rank " + std::to_string(rank) + " is wrong");
    }
  }
}

void Trial::require_bounds(const Buffer& buffer) {
  require(buffer.is_surrounded(), "bytes outside of the buffer were overwritten");
  if (subject_.is_users) {
    require(buffer.has_gaps_left(), "bytes in gaps of the datatype were overwritten");
  }
}

Trial::Part Trial::own_part(std::size_t element_count) const {
  constexpr std::size_t small_count = 8192;
  const auto size = static_cast<std::size_t>(team_.size);
  if (element_count * size <= small_count) return {0, element_count};
  const auto rank = static_cast<std::size_t>(team_.rank);
  const std::size_t first = element_count * rank / size;
  return {first, element_count * (rank + 1) / size - first};
}

std::vector<int> Trial::uneven_blocks() const {
  std::vector<int> blocks;
  for (int rank = 0; rank < team_.size; ++rank) {
    const std::uint64_t parts = mixed(combination_.seed ^ static_cast<std::uint64_t>(rank)) % 3;
    blocks.push_back(even_block() * static_cast<int>(parts));
  }
  return blocks;
}

int Trial::even_block() const {
  const auto size = static_cast<std::size_t>(team_.size);
  return static_cast<int>((combination_.count + size - 1) / size);
}

void try_barrier(Trial& trial) {
  trial.require_success(Detour_Barrier(trial.team().comm));
}

Finding try_out(const Combination& combination, const Universe& universe, const Team& team) {
  Trial trial(combination, universe, team);
  switch (combination.kind) {
    case Kind::allreduce:
    case Kind::iallreduce:
      try_allreduce(trial);
      break;
    case Kind::reduce:
      try_reduce(trial);
      break;
    case Kind::reduce_scatter:
    case Kind::reduce_scatter_block:
      try_reduce_scatter(trial);
      break;
    case Kind::bcast:
      try_bcast(trial);
      break;
    case Kind::allgather:
      try_allgather(trial);
      break;
    case Kind::allgatherv:
      try_allgatherv(trial);
      break;
    case Kind::barrier:
      try_barrier(trial);
      break;
  }
  return trial.finding();
}

}  // namespace detour::parity
